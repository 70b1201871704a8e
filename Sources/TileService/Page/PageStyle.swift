extension Page {
    /// How the page looks: two grounds, on which the same colours have to be seen.
    static let style = """
        :root {
          --ground: #f3f1ec; --line: #dcd8cf; --ink: #2a2730; --faint: #6d6876; --panel: #fffffff0; --edge: #cfcac0;
          --accent: #6a3df0; color-scheme: light;
        }
        :root[data-ground="dark"] {
          --ground: #131217; --line: #2a2832; --ink: #ece9f2; --faint: #a09aac; --panel: #1d1b23f0; --edge: #3a3743;
          --accent: #a98bff; color-scheme: dark;
        }
        * { box-sizing: border-box; }
        html, body { height: 100%; margin: 0; }
        body { background: var(--ground); color: var(--ink); font: 14px/1.4 system-ui, sans-serif; overflow: hidden; }
        [hidden] { display: none !important; }
        #map, #map.leaflet-container { position: absolute; inset: 0; background: var(--ground); font: inherit; }
        #map:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
        #panel {
          position: absolute; top: 12px; right: 12px; z-index: 1000; width: 236px; padding: 12px;
          max-height: calc(100% - 24px); overflow: auto; background: var(--panel); border: 1px solid var(--edge);
          border-radius: 8px; box-shadow: 0 1px 6px #0002;
        }
        #choices { display: grid; gap: 8px; }
        label { display: grid; gap: 2px; color: var(--faint); font-size: 12px; min-width: 0; }
        .days { display: grid; gap: 8px; }
        .buttons { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; }
        select, input, button {
          font: inherit; font-size: 14px; color: var(--ink); background: var(--ground); border: 1px solid var(--edge);
          border-radius: 6px; padding: 5px 8px; min-width: 0; width: 100%;
        }
        button { cursor: pointer; }
        button:hover, button[aria-pressed="true"] { border-color: var(--accent); }
        button[aria-pressed="true"] { color: var(--accent); }
        :is(select, input, button, a):focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
        #legend { margin: 12px 0 0; }
        #legend figcaption { font-size: 12px; color: var(--faint); margin-bottom: 4px; }
        #ramp { display: flex; height: 14px; border-radius: 3px; overflow: hidden; background: var(--ground); }
        #ramp i { flex: 1; }
        #counts { display: flex; justify-content: space-between; font-size: 12px; color: var(--faint); margin-top: 2px; }
        #totals { margin: 10px 0 0; font-size: 12px; color: var(--faint); }
        #notice { margin: 10px 0 0; padding: 8px; border-left: 3px solid var(--accent); background: var(--ground); }
        .noscript { position: absolute; inset: auto 0 40% 0; margin: auto; width: min(30rem, 90%); }
        .leaflet-bar a, .leaflet-bar a:hover, .leaflet-bar a.leaflet-disabled {
          background: var(--panel); color: var(--ink); border-color: var(--edge);
        }
        .leaflet-bar a.leaflet-disabled { color: var(--faint); opacity: 0.6; }
        #map .leaflet-control-scale-line {
          background: none; border-color: var(--faint); color: var(--faint); text-shadow: none;
        }
        #map .leaflet-control-attribution { background: none; color: var(--faint); }
        .graticule { stroke: var(--line); }
        .degrees { color: var(--faint); font-size: 11px; white-space: nowrap; opacity: 0.8; }
        .plain { position: absolute; inset: 0; display: grid; place-content: center; }
        .plain img { display: block; width: 256px; height: 256px; }
        @media (max-width: 520px) {
          #panel { top: auto; bottom: 0; left: 0; right: 0; width: auto; max-height: 45%; border-radius: 8px 8px 0 0; }
          .days { grid-template-columns: 1fr 1fr; }
        }

        """
}
