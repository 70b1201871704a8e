import TileDrawing

/// The page at `/`, compiled in: one map, a panel beside it, nothing from elsewhere.
enum Page {
    /// The document; addresses are relative, so that it may be mounted below any path.
    static let text = """
        <!doctype html>
        <html lang="en" data-ground="light">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>tileserve</title>
        <link rel="icon" href="assets/icon.svg">
        <link rel="stylesheet" href="assets/leaflet/leaflet.css">
        <link rel="stylesheet" href="assets/page.css">
        <script src="assets/leaflet/leaflet.js" defer></script>
        <script src="assets/page.js" type="module"></script>
        </head>
        <body>
        <main id="map" aria-label="Map of tracks" aria-describedby="keys"></main>
        <p id="keys" hidden>Arrow keys move the map, plus and minus zoom, Enter asks which tracks pass its middle.
        In a replay, space plays and pauses, and arrow keys elsewhere go back and on.</p>
        <section id="panel" aria-label="What the map shows">
          <p id="notice" role="status" hidden></p>
          <div id="only" hidden>
            <p id="only-name"></p>
            <div class="halves">
              <button id="only-play" type="button">Play it</button>
              <button id="only-end" type="button">Back to all tracks</button>
            </div>
          </div>
          <figure id="legend" hidden>
            <figcaption id="legend-title"></figcaption>
            <div id="ramp" role="img"></div>
            <div id="counts" aria-hidden="true"></div>
            <ul id="colors" hidden></ul>
          </figure>
          <div id="playing" class="halves">
            <button id="replay" type="button">Play back …</button>
            <button id="live" class="switch" type="button" aria-pressed="false">Live</button>
          </div>
          <div id="live-row" hidden>
            <p id="live-told" role="status"></p>
            <label class="check"><input id="live-follow" type="checkbox"> Follow</label>
          </div>
          <button id="fold" type="button" aria-expanded="false" aria-controls="choices">Options</button>
          <form id="choices" autocomplete="off">
            <label id="style-row" hidden>Style <select id="style"></select></label>
            <label id="layer-row" hidden>Layer <select id="layer"></select></label>
            <div id="building" role="status"></div>
            <fieldset>
              <legend>Time</legend>
              <div id="quick" class="segments">
                <button type="button" data-window="all">All</button>
                <button type="button" data-window="year">This year</button>
                <button type="button" data-window="twelve">12 months</button>
                <button type="button" data-window="thirty">30 days</button>
              </div>
              <div class="days">
                <label>From <input id="from" type="date"></label>
                <label>To <input id="to" type="date"></label>
              </div>
              <div id="steps" class="halves">
                <button type="button" data-step="-1">← Earlier</button>
                <button type="button" data-step="1">Later →</button>
              </div>
            </fieldset>
            <details id="comparing">
              <summary>Compare with another time</summary>
              <label>Compared with <select id="against">
                <option value="">nothing</option>
                <option value="year">the same days a year before</option>
                <option value="before">as many days just before</option>
                <option value="own">other days</option>
              </select></label>
              <div id="minus-days" class="days" hidden>
                <label>From <input id="minus-from" type="date"></label>
                <label>To <input id="minus-to" type="date"></label>
              </div>
            </details>
            <details id="coloring">
              <summary>Colours</summary>
              <div id="ramps"></div>
              <label class="check"><input id="span" type="checkbox"> Spread over this time’s counts only</label>
            </details>
            <fieldset>
              <legend>Ground</legend>
              <div class="segments">
                <label><input type="radio" name="ground" value="light"><span>Light</span></label>
                <label><input type="radio" name="ground" value="grey"><span>Grey</span></label>
                <label><input type="radio" name="ground" value="dark"><span>Dark</span></label>
              </div>
              <label class="check"><input id="grid" type="checkbox"> Lines of longitude and latitude</label>
            </fieldset>
            <details id="tracks-list">
              <summary>Tracks</summary>
              <ul id="tracks-lines" class="lines"></ul>
              <button id="tracks-more" type="button" hidden>More</button>
            </details>
            <details id="sharing">
              <summary>Tiles for other programs</summary>
              <label>Address <input id="address" type="text" readonly spellcheck="false"></label>
              <div class="halves">
                <button id="copy" type="button">Copy</button>
                <a id="tilejson" class="button" href="tiles.json">TileJSON</a>
              </div>
            </details>
            <button id="home" type="button">Show all on the map</button>
            <p id="totals"></p>
          </form>
        </section>
        \(player)
        <noscript><p class="noscript">The map needs JavaScript. Its tiles are at
        <code>/tiles/{z}/{x}/{y}.png</code>, their description at <a href="tiles.json">tiles.json</a>.</p></noscript>
        </body>
        </html>

        """

    /// What the page does, in modules that import each other by these names.
    static let scripts = [
        (name: "page.js", text: script), (name: "state.js", text: stateScript),
        (name: "server.js", text: serverScript), (name: "days.js", text: daysScript),
        (name: "map.js", text: mapScript), (name: "ground.js", text: groundScript),
        (name: "panel.js", text: panelScript), (name: "colors.js", text: colorsScript),
        (name: "place.js", text: placeScript), (name: "tiles.js", text: tilesScript),
        (name: "list.js", text: listScript), (name: "stream.js", text: streamScript),
        (name: "timeline.js", text: timelineScript), (name: "calendar.js", text: calendarScript),
        (name: "dots.js", text: dotsScript), (name: "heat.js", text: heatScript),
        (name: "player.js", text: playerScript), (name: "desk.js", text: deskScript),
        (name: "import.js", text: importScript),
        (name: "program.js", text: programScript), (name: "past.js", text: pastScript),
        (name: "begin.js", text: beginScript),
        (name: "live.js", text: liveScript),
    ]

    /// The mark in a browser's tab.
    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
        <rect width="32" height="32" rx="7" fill="#1b1820"/>
        <g fill="none" stroke-linecap="round" stroke-width="4">
        <path d="M6 24 12 13l7 5 7-11" stroke="#7446ff"/><path d="M12 13l7 5 3-5" stroke="#f2447f"/>
        <path d="M19 18l3-5" stroke="#ffb81f"/></g></svg>

        """
}
