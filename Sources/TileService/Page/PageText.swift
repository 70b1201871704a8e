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
        <script src="assets/page.js" defer></script>
        </head>
        <body>
        <main id="map" aria-label="Heat map"></main>
        <section id="panel" aria-label="What the map shows">
          <form id="choices">
            <label id="style-row" hidden>Style <select id="style"></select></label>
            <label id="layer-row" hidden>Layer <select id="layer"></select></label>
            <div class="days">
              <label>From <input id="from" type="date"></label>
              <label>To <input id="to" type="date"></label>
            </div>
            <div class="buttons">
              <button id="ground" type="button" aria-pressed="false">Dark</button>
              <button id="home" type="button">Show all</button>
            </div>
          </form>
          <figure id="legend" hidden>
            <figcaption>Days somebody was there</figcaption>
            <div id="ramp" role="img"></div>
            <div id="counts" aria-hidden="true"></div>
          </figure>
          <p id="totals"></p>
          <p id="notice" role="status" hidden></p>
        </section>
        <noscript><p class="noscript">The map needs JavaScript. Its tiles are at
        <code>/tiles/{z}/{x}/{y}.png</code>, their description at <a href="tiles.json">tiles.json</a>.</p></noscript>
        </body>
        </html>

        """

    /// The mark in a browser's tab.
    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
        <rect width="32" height="32" rx="7" fill="#1b1820"/>
        <g fill="none" stroke-linecap="round" stroke-width="4">
        <path d="M6 24 12 13l7 5 7-11" stroke="#7446ff"/><path d="M12 13l7 5 3-5" stroke="#f2447f"/>
        <path d="M19 18l3-5" stroke="#ffb81f"/></g></svg>

        """
}
