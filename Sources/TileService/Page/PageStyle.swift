extension Page {
    /// How the page looks: three grounds, on which the same colours have to be seen.
    static let style = """
        :root {
          --ground: #f3f1ec; --line: #dcd8cf; --ink: #2a2730; --faint: #625d6b; --panel: #fffffff5; --edge: #cbc6bb;
          --field: #f6f4f0; --accent: #5d2fe0; --covered: 0px; color-scheme: light;
        }
        :root[data-ground="grey"] { --ground: #c4c4c7; --line: #b2b2b6; --edge: #a9a9ad; --faint: #55525c; }
        :root[data-ground="dark"] {
          --ground: #131217; --line: #2a2832; --ink: #ece9f2; --faint: #a8a2b4; --panel: #1d1b23f5; --edge: #444050;
          --field: #282530; --accent: #b39aff; color-scheme: dark;
        }
        * { box-sizing: border-box; }
        html, body { height: 100%; margin: 0; }
        body { background: var(--ground); color: var(--ink); font: 14px/1.4 system-ui, sans-serif; overflow: hidden; }
        p, ul { margin: 0; padding: 0; }
        [hidden] { display: none !important; }

        #map, #map.leaflet-container { position: absolute; inset: 0; background: var(--ground); font: inherit; }
        #map:focus { outline: none; }
        [data-keys] #map:focus { outline: 2px solid var(--accent); outline-offset: -2px; }
        [data-keys] #map:focus::after {
          content: ""; position: absolute; inset: 0; margin: auto; width: 16px; height: 16px; z-index: 500;
          border: 2px solid var(--accent); border-radius: 50%; pointer-events: none;
        }

        #panel {
          position: absolute; top: 12px; right: 12px; z-index: 1000; width: 272px; padding: 14px;
          max-height: calc(100% - 24px); overflow: auto; background: var(--panel); border: 1px solid var(--edge);
          border-radius: 10px; box-shadow: 0 2px 10px #0002; display: grid; gap: 14px;
        }
        #choices { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; min-width: 0; }
        #fold { display: none; }
        label { display: grid; gap: 3px; color: var(--faint); font-size: 12px; min-width: 0; }
        fieldset { display: grid; gap: 8px; border: 0; margin: 0; padding: 0; min-width: 0; }
        legend { padding: 0; margin-bottom: 3px; color: var(--faint); font-size: 12px; }
        .days, .halves { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; }
        select, input[type="date"], input[type="text"], button, .button {
          font: inherit; font-size: 14px; color: var(--ink); background: var(--field); border: 1px solid var(--edge);
          border-radius: 6px; padding: 5px 8px; min-width: 0; width: 100%; min-height: 34px;
        }
        .days input[type="date"] { font-size: 13px; padding: 5px 4px 5px 6px; }
        button, .button { cursor: pointer; text-align: center; text-decoration: none; }
        button:hover, .button:hover { border-color: var(--accent); }
        button:disabled { opacity: 0.5; cursor: default; border-color: var(--edge); }
        :is(select, input, button, a, summary):focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
        .check { display: flex; align-items: center; gap: 6px; color: var(--ink); font-size: 13px; }
        .check input { margin: 0; accent-color: var(--accent); flex: none; }
        .check:has(:disabled) { color: var(--faint); opacity: 0.7; }

        .segments { display: flex; border: 1px solid var(--edge); border-radius: 6px; background: var(--field); }
        .segments button, .segments span {
          display: block; flex: 1 1 auto; width: auto; border: 0; background: none; padding: 5px 4px; font-size: 13px;
          border-radius: 5px; text-align: center; white-space: nowrap; color: var(--ink);
        }
        .segments label { flex: 1; display: block; cursor: pointer; position: relative; }
        .segments input { position: absolute; opacity: 0; inset: 0; width: 100%; height: 100%; margin: 0; cursor: pointer; }
        .segments :is(button[aria-pressed="true"], input:checked + span) { background: var(--accent); color: var(--panel); }
        .segments button:hover:not([aria-pressed="true"]) { color: var(--accent); }
        .segments input:focus-visible + span { outline: 2px solid var(--accent); outline-offset: 1px; }

        details { box-shadow: 0 -1px var(--edge); padding-top: 10px; }
        details[open] > :not(summary) { margin-top: 8px; }
        summary { cursor: pointer; font-size: 13px; border-radius: 4px; }

        #ramps { display: grid; grid-template-columns: 1fr 1fr; gap: 2px 8px; }
        #ramps p { grid-column: 1 / -1; font-size: 12px; color: var(--faint); margin-top: 6px; }
        .ramp {
          position: relative; display: block; padding: 3px 4px; border-radius: 5px; cursor: pointer; color: var(--ink);
          border: 1px solid transparent;
        }
        .ramp.plainly { grid-column: 1 / -1; }
        .ramp.plainly i { display: none; }
        .ramp i { display: block; height: 12px; border-radius: 3px; margin-bottom: 1px; }
        .ramp input { position: absolute; opacity: 0; inset: 0; width: 100%; height: 100%; margin: 0; cursor: pointer; }
        .ramp:hover { border-color: var(--edge); }
        .ramp:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
        .ramp:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 1px; }

        #legend { margin: 0; }
        #legend figcaption { font-size: 12px; color: var(--faint); margin-bottom: 5px; }
        #ramp { display: flex; height: 16px; border-radius: 4px; overflow: hidden; background: var(--ground); }
        #ramp i { flex: 1; }
        #counts { display: flex; justify-content: space-between; font-size: 12px; color: var(--faint); margin-top: 2px; }
        #colors { list-style: none; display: grid; grid-template-columns: 1fr 1fr; gap: 3px 10px; font-size: 12px; }
        #colors li { display: flex; align-items: center; gap: 6px; min-width: 0; }
        #colors i { flex: none; width: 20px; height: 5px; border-radius: 3px; }
        #ramp:not([hidden]) ~ #colors { margin-top: 8px; }
        #totals { font-size: 12px; color: var(--faint); }
        #notice { padding: 8px 10px; border-left: 3px solid var(--accent); background: var(--field); border-radius: 0 6px 6px 0; }
        #only { display: grid; gap: 8px; }
        #only b { display: block; overflow: hidden; text-overflow: ellipsis; }
        #building { display: grid; gap: 8px; }
        #building:empty { display: none; }
        progress { width: 100%; height: 8px; accent-color: var(--accent); }

        .found { color: var(--ink); display: grid; gap: 4px; }
        #map .found p { margin: 0; }
        .found .many { font-weight: 600; font-size: 14px; }
        .found .when { font-size: 12px; color: var(--faint); }
        .found .tracks { list-style: none; max-height: 180px; overflow: auto; display: grid; gap: 4px; margin-top: 4px; padding: 2px; }
        .found button { text-align: left; display: grid; line-height: 1.3; }
        .found b { font-weight: 500; overflow-wrap: anywhere; }
        .found button span { font-size: 12px; color: var(--faint); }
        #map .leaflet-popup-content-wrapper, #map .leaflet-popup-tip { background: var(--panel); color: var(--ink); }
        #map .leaflet-popup-content { margin: 12px 14px; line-height: 1.4; }
        #map .leaflet-popup-close-button { color: var(--faint); }

        .noscript { position: absolute; inset: auto 0 40% 0; margin: auto; width: min(30rem, 90%); }
        #map .leaflet-bar a, #map .leaflet-bar a:hover, #map .leaflet-bar a.leaflet-disabled {
          background: var(--panel); color: var(--ink); border-color: var(--edge);
        }
        #map .leaflet-bar a.leaflet-disabled { color: var(--faint); opacity: 0.6; }
        .leaflet-bottom { bottom: var(--covered); }
        #map .leaflet-control-scale { margin: 0 0 26px 10px; }
        #map .leaflet-control-scale-line {
          background: none; border-color: var(--faint); color: var(--faint); text-shadow: none;
        }
        #map .leaflet-control-attribution { background: none; color: var(--faint); }
        .graticule { stroke: var(--line); }
        .degrees { color: var(--faint); font-size: 11px; white-space: nowrap; }
        .plain { position: absolute; inset: 0; display: grid; grid-template-columns: repeat(5, 256px); place-content: center; }
        .plain img { display: block; width: 256px; height: 256px; }

        @media (max-width: 560px) {
          #panel {
            top: auto; bottom: 0; left: 0; right: 0; width: auto; max-height: 70%; padding: 10px 14px; gap: 10px;
            border-radius: 12px 12px 0 0; border-width: 1px 0 0;
          }
          #fold { display: block; }
          #panel:not(.open) #choices { display: none; }
          select, input[type="date"], input[type="text"], button, .button { min-height: 40px; }
          .segments :is(button, span) { padding: 9px 4px; }
        }

        """
}
