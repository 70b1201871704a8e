import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/// The modules of the page, and the files of tests, by name.
const read = (folder, ending) => new Map(readdirSync(new URL(folder, import.meta.url))
  .filter((name) => name.endsWith(ending))
  .map((name) => [name, readFileSync(new URL(folder + name, import.meta.url), 'utf8')]));
const modules = read('../../Sources/CWebPage/site/', '.js');
const tests = [...read('./', '.mjs').values(), ...read('../BrowserTests/', '.mjs').values()].join('\n');

/// The names of the modules that a text imports when it is loaded.
const imports = (text) => [...text.matchAll(/^(?:import|export)\s[^;]*?from '\.\/([^']+)';/gm)].map(([, name]) => name);
/// The names of the modules that it imports later.
const lazyImports = (text) => [...text.matchAll(/\bimport\('\.\/([^']+)'\)/g)].map(([, name]) => name);

/// The circles that one gets into by following `edges` from module to module, such as `a.js > b.js > a.js`.
function circles(edges) {
  const found = new Set(), done = new Set();
  const visit = (name, path) => {
    if (path.includes(name)) found.add([...path.slice(path.indexOf(name)), name].join(' > '));
    else if (!done.has(name)) {
      for (const other of edges(name)) visit(other, [...path, name]);
      done.add(name);
    }
  };
  for (const name of modules.keys()) visit(name, []);
  return [...found];
}

test('modules import modules that exist', () => {
  for (const [name, text] of modules) {
    for (const other of [...imports(text), ...lazyImports(text)]) assert.ok(modules.has(other), `${name} imports ${other}`);
  }
});

test('what is imported is exported by a statement of its own, as the server needs it to join modules', () => {
  for (const [name, text] of modules) {
    for (const [, names, other] of text.matchAll(/^import \{([^}]*)\} from '\.\/([^']+)';/gm)) {
      for (const wanted of names.split(',').map((one) => one.trim().replace(/ as .*/, '')).filter(Boolean)) {
        const exported = new RegExp(`^export (async )?(function|const|let|class) ${wanted}\\b`, 'm');
        assert.ok(exported.test(modules.get(other)), `${name} imports ${wanted} of ${other}`);
      }
    }
  }
});

test('modules do not import each other in circles', () => {
  assert.deepEqual(circles((name) => imports(modules.get(name))), []);
});

test('what is loaded when it is needed does not import the module that loads it', () => {
  assert.deepEqual(circles((name) => [...imports(modules.get(name)), ...lazyImports(modules.get(name))]), []);
});

test('a circle is found, and named', () => {
  const edges = { 'page.js': ['map.js'], 'map.js': ['state.js', 'side.js'], 'side.js': ['map.js'] };
  assert.deepEqual(circles((name) => edges[name] ?? []), ['map.js > side.js > map.js']);
});

test('every export is used by another module, or by a test', () => {
  // The tools of the map are called by the names that the buttons of the page have.
  const page = readFileSync(new URL('../../Sources/CWebPage/site/index.html', import.meta.url), 'utf8');
  const tools = [...page.matchAll(/data-tool="(\w+)"/g)].map(([, name]) => name);
  for (const [name, text] of modules) {
    const users = [...modules].filter(([other]) => other !== name).map(([, source]) => source)
      .filter((source) => [...imports(source), ...lazyImports(source)].includes(name));
    for (const [, exported] of text.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)) {
      const isUsed = [...users, tests].some((source) => new RegExp(`\\b${exported}\\b`).test(source));
      assert.ok(isUsed || name === 'tools.js' && tools.includes(exported), `${exported} of ${name}`);
    }
  }
});

test('modules have at most 300 lines', () => {
  for (const [name, text] of modules) assert.ok(text.split('\n').length - 1 <= 300, name);
});
