import Testing
import TileService
import WebPage

@Suite struct ModuleBundleTests {
    /// A page with a panel and a dialog, which both need a chart.
    private let sources = [
        "page.js": """
        import { state, on as listen } from './state.js';
        import * as map from './map-view.js';
        export const panel = () => import('./panel.js');
        listen(() => import('./dialog.js').then((module) => module.open(map.zoom)));

        """,
        "state.js": "export const state = {};\nexport function on(body) { body(state); }\nlet hidden = 1;\n",
        "map-view.js": "import {\n  state,\n} from './state.js';\nlet hidden = 2;\nexport const zoom = 3;\n",
        "panel.js":
            "import { draw } from './chart.js';\nexport { rows } from './list.js';\nexport const show = () => draw();\n",
        "list.js": "import { state } from './state.js';\nexport const rows = [state];\n",
        "dialog.js": "import { draw } from './chart.js';\nexport async function open() { draw(); }\n",
        "chart.js": "export class Chart {}\nexport function draw() { return new Chart(); }\n",
    ]

    @Test func `modules that are always loaded together are in one file`() throws {
        let bundle = try ModuleBundle(sources, entry: "page.js")
        #expect(bundle.files == ["chart.js", "dialog.js", "page.js", "panel.js"])
        #expect(
            bundle.text(of: "page.js") == """
                const $state = (() => {
                const state = {};
                function on(body) { body(state); }
                let hidden = 1;

                return { state, on };
                })();
                const $map_view = (() => {
                const { state } = $state;
                let hidden = 2;
                const zoom = 3;

                return { zoom };
                })();
                const $page = (() => {
                const { state, on: listen } = $state;
                const map = $map_view;
                const panel = () => import('./panel.js');
                listen(() => import('./dialog.js').then((module) => module.open(map.zoom)));

                return { panel };
                })();
                export { $state, $map_view, $page };
                export const { panel } = $page;

                """)
        #expect(
            bundle.text(of: "panel.js") == """
                import { $chart } from './chart.js';
                import { $state } from './page.js';
                const $list = (() => {
                const { state } = $state;
                const rows = [state];

                return { rows };
                })();
                const $panel = (() => {
                const { draw } = $chart;
                const show = () => draw();

                return { rows: $list.rows, show };
                })();
                export { $list, $panel };
                export const { rows, show } = $panel;

                """)
        #expect(bundle.text(of: "state.js") == nil)
    }

    @Test(arguments: [
        ("import { a } from './none.js';", ModuleBundleError.noSuchModule("none.js")),
        ("const lazy = () => import('./none.js');", .noSuchModule("none.js")),
        ("import { state, nothing } from './state.js';", .noSuchExport("nothing", "state.js")),
        ("export { nothing } from './state.js';", .noSuchExport("nothing", "state.js")),
        ("import { show } from './panel.js';", .isAlwaysLoaded("panel.js")),
        ("import { panel } from './page.js';", .circle("page.js")),
        ("export let count = 0;", .unsupported("let count = 0;", "page.js")),
        ("export default 1;", .unsupported("default 1;", "page.js")),
        ("import state from './state.js';", .unsupported("import state from './state.js';", "page.js")),
        ("import './state.js';", .unsupported("import './state.js';", "page.js")),
        ("import { a } from \"./state.js\";", .unsupported("import { a } from \"./state.js\";", "page.js")),
        (
            "export { state as other } from './state.js';",
            .unsupported("export { state as other } from './state.js';", "page.js")
        ),
    ]) func `what cannot be joined is refused`(line: String, error: ModuleBundleError) throws {
        var sources = sources
        sources["page.js"]? += line + "\n"
        #expect(throws: error) { try ModuleBundle(sources, entry: "page.js") }
    }

    @Test func `a statement that does not end is refused`() {
        #expect(throws: ModuleBundleError.self) { try ModuleBundle(["page.js": "import {\na\n"], entry: "page.js") }
        #expect(throws: ModuleBundleError.noSuchModule("page.js")) { try ModuleBundle([:], entry: "page.js") }
    }
}
