extension Page {
    /// The player's part of the document.
    static let player = """
        <section id="player" aria-label="Replay" hidden>
          <div id="now">
            <p id="now-track"><i id="now-color"></i><b id="now-name"></b> <span id="now-facts"></span></p>
            <p id="clock" role="timer" aria-live="off"></p>
            <button id="player-end" class="sign" type="button" aria-label="End the replay" title="End the replay">
              <svg viewBox="0 0 16 16"><path d="m4 4 8 8m0-8-8 8"/></svg></button>
          </div>
          <div id="course">
            <canvas id="density" aria-hidden="true"></canvas>
            <input id="slider" type="range" min="0" max="1000" value="0" aria-label="Time in the replay">
          </div>
          <div id="keysets">
            <button id="day-before" class="sign" type="button" aria-label="Previous day with tracks"
              title="Previous day with tracks"><svg viewBox="0 0 16 16"><path d="M4 3v10M12.500 3 6.500 8l6 5z"/></svg></button>
            <button id="play" class="sign" type="button" aria-label="Play" title="Play (space)">
              <svg class="plays" viewBox="0 0 16 16"><path d="M4.500 2.500v11L13 8z"/></svg>
              <svg class="pauses" viewBox="0 0 16 16"><path d="M4 3h2.500v10H4zM9.500 3H12v10H9.500z"/></svg></button>
            <button id="day-behind" class="sign" type="button" aria-label="Next day with tracks"
              title="Next day with tracks"><svg viewBox="0 0 16 16"><path d="M12 3v10M3.500 3l6 5-6 5z"/></svg></button>
            <button id="day" type="button" aria-haspopup="dialog" aria-expanded="false" aria-controls="days"></button>
            <select id="speed" aria-label="Speed">
              <option value="1">1 ×</option><option value="2">2 ×</option><option value="5">5 ×</option>
              <option value="10">10 ×</option><option value="30">30 ×</option><option value="60">1 min/s</option>
              <option value="120">2 min/s</option><option value="300">5 min/s</option>
              <option value="600">10 min/s</option><option value="1800">30 min/s</option>
              <option value="3600">1 h/s</option><option value="max">every point</option>
            </select>
            <label class="check"><input id="follow" type="checkbox"> Follow</label>
            <button id="more" type="button" aria-expanded="false" aria-controls="ways">More</button>
            <p id="play-state" role="status"></p>
          </div>
          <div id="ways" hidden>
            <label>Trail <select id="trail">
              <option value="60">1 minute</option><option value="300">5 minutes</option>
              <option value="1800">30 minutes</option><option value="7200">2 hours</option>
              <option value="0">the whole track</option>
            </select></label>
            <label id="extent-row">Play <select id="extent">
              <option value="">from this day on</option><option value="1">this day only</option>
            </select></label>
            <label id="order-row">Tracks <select id="order">
              <option value="">one after the other</option><option value="1">all together</option>
            </select></label>
            <label class="check"><input id="under" type="checkbox"> Heat as it was then</label>
            <ol id="played" aria-label="Tracks of this replay"></ol>
          </div>
          <div id="days" role="dialog" aria-label="Choose a day with tracks" hidden></div>
        </section>
        """

    /// How the player looks.
    static let playerStyle = """
        #player {
          position: absolute; left: 12px; bottom: 12px; right: 296px; max-width: 780px; z-index: 1000; padding: 10px 12px;
          margin: 0 auto; background: var(--panel); border: 1px solid var(--edge); border-radius: 10px;
          box-shadow: 0 2px 10px #0002; display: grid; gap: 6px;
        }
        #now { display: grid; grid-template-columns: minmax(0, 1fr) auto auto; gap: 12px; align-items: center; }
        #now-track { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        #now-color { display: inline-block; width: 10px; height: 10px; border-radius: 50%; margin-right: 7px; }
        #now-color:not([style*="background"]) { display: none; }
        #now-facts { color: var(--faint); font-size: 12px; font-variant-numeric: tabular-nums; margin-left: 6px; }
        #clock { font-variant-numeric: tabular-nums; white-space: nowrap; }
        #course { position: relative; height: 44px; }
        #density { position: absolute; inset: 0 8px 12px; width: calc(100% - 16px); height: 32px; }
        #slider {
          appearance: none; position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; background: none;
          cursor: pointer; border-radius: 6px;
        }
        #slider::-webkit-slider-runnable-track {
          height: 4px; margin-top: 34px; border-radius: 2px;
          background: linear-gradient(to right, var(--accent) var(--passed, 0%), var(--edge) var(--passed, 0%));
        }
        #slider::-webkit-slider-thumb {
          appearance: none; width: 16px; height: 16px; margin-top: -6px; border-radius: 50%; background: var(--accent);
          border: 2px solid var(--panel); box-shadow: 0 0 0 1px var(--accent);
        }
        #slider::-moz-range-track { height: 4px; border-radius: 2px; background: var(--edge); transform: translateY(14px); }
        #slider::-moz-range-progress { height: 4px; background: var(--accent); transform: translateY(14px); }
        #slider::-moz-range-thumb {
          width: 12px; height: 12px; border-radius: 50%; background: var(--accent); border: 2px solid var(--panel);
          transform: translateY(14px);
        }
        #keysets { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
        #keysets > :is(button, select) { width: auto; }
        #keysets .check { padding: 0 4px; min-height: 34px; }
        .sign { display: grid; place-content: center; width: 34px !important; padding: 0; }
        .sign svg { width: 16px; height: 16px; fill: currentColor; stroke: currentColor; stroke-width: 1.6; }
        #player-end { border: 0; background: none; }
        #play { background: var(--accent); border-color: var(--accent); color: var(--panel); width: 44px !important; }
        #play svg { stroke: none; width: 20px; height: 20px; }
        #player[data-playing] .plays, #player:not([data-playing]) .pauses { display: none; }
        #play-state { color: var(--faint); font-size: 12px; margin-left: auto; min-width: 0; }
        #player[data-lost] #play-state { color: var(--ink); font-weight: 600; }
        #ways { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px; align-items: end; }
        #ways .check { min-height: 34px; }
        #played {
          grid-column: 1 / -1; margin: 0; padding: 2px; list-style: none; max-height: 130px; overflow: auto; display: grid; gap: 2px;
        }
        .lines, .lines li { display: grid; grid-template-columns: minmax(0, 1fr); }
        .lines button {
          display: flex; gap: 8px; justify-content: space-between; text-align: left; border: 0; background: none;
          min-height: 28px; padding: 3px 6px; font-size: 13px;
        }
        .lines button:hover { background: var(--field); }
        .lines button[aria-current="true"] { background: var(--field); box-shadow: inset 3px 0 var(--accent); }
        .lines b { font-weight: 500; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .lines span { color: var(--faint); font-size: 12px; white-space: nowrap; }
        #days {
          position: absolute; bottom: calc(100% + 8px); left: 0; width: 292px; padding: 12px; background: var(--panel);
          border: 1px solid var(--edge); border-radius: 10px; box-shadow: 0 2px 10px #0003;
        }
        .turn { display: grid; grid-template-columns: 32px 32px 1fr 32px 32px; gap: 2px; align-items: center; text-align: center; }
        .turn p { font-weight: 600; }
        .turn button { border: 0; background: none; padding: 0; font-size: 18px; }
        .month { display: grid; grid-template-columns: repeat(7, 1fr); gap: 3px; margin-top: 6px; text-align: center; }
        .month span { color: var(--faint); font-size: 12px; }
        .month button { padding: 0; border-color: transparent; background: none; font-size: 13px; min-height: 34px; }
        .month button:disabled { color: var(--faint); }
        .month [data-shade] { background: color-mix(in srgb, var(--accent) var(--shade), var(--field)); }
        [data-shade="1"] { --shade: 15%; } [data-shade="2"] { --shade: 32%; }
        [data-shade="3"] { --shade: 52%; } [data-shade="4"] { --shade: 75%; }
        .month [data-shade="4"] { color: var(--panel); }
        .month [aria-pressed="true"] { border: 2px solid var(--ink); font-weight: 700; }
        .tile img { display: block; width: 100%; height: 100%; }
        .switch { display: flex; align-items: center; gap: 8px; justify-content: center; }
        .switch::before { content: ""; width: 9px; height: 9px; border-radius: 50%; background: var(--faint); }
        .switch[aria-pressed="true"]::before { background: #e5253c; box-shadow: 0 0 0 3px #e5253c40; }
        #live-row { display: grid; gap: 6px; }
        #only .halves { grid-template-columns: auto 1fr; }
        #live-told { font-size: 12px; color: var(--faint); }
        .device { display: flex; align-items: center; gap: 6px; }
        .device i { width: 9px; height: 9px; border-radius: 50%; flex: none; }
        #tracks-list .lines { list-style: none; display: grid; gap: 2px; max-height: 240px; overflow: auto; }

        @media (max-width: 900px) and (min-width: 561px) {
          #now-facts { display: none; }
        }
        @media (max-width: 560px) {
          #player { left: 0; right: 0; bottom: 0; border-radius: 12px 12px 0 0; border-width: 1px 0 0; max-width: none; }
          #now { grid-template-columns: minmax(0, 1fr) auto; gap: 2px 8px; }
          #clock { grid-row: 2; grid-column: 1 / -1; }
          #player-end { grid-row: 1; grid-column: 2; }
          #keysets .check { min-height: 40px; }
          #keysets > select { flex: 1 1 120px; min-width: 120px; }
          .sign { width: 40px !important; }
          #play-state { flex-basis: 100%; margin: 0; min-height: 17px; }
          #ways { grid-template-columns: 1fr 1fr; }
          #days { left: 8px; right: 8px; width: auto; }
          [data-replaying] #panel { display: none; }
        }

        """
}
