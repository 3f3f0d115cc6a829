// Writes what a host reads anyway as few files: each file of its own costs a host some tenths of a millisecond to find, open and compile.
import path from 'node:path';

/**
 * What is read from the start: both hosts' entries, and what each reads right behind its own. Parts that the same ones of these need are joined;
 * what only some later part needs stays a file of its own.
 */
const starts = ['extension.js', 'headless.js', 'late/agent', 'late/main', 'late/provider-client', 'late/load-settings'];
/** A part that one of these may read at any time is never joined with one that needs VS Code. */
const runners = ['headless.js', 'acp.js'];
/** Bytes of one joined file, as it was before it was made small: it is read and run at once. */
const largest = 300_000;

/**
 * The joined files of a build, by their names: the names of the parts in each, dependencies first. `nameOf` gives a part's final name.
 */
export function joinedParts({ outputs }, nameOf) {
  const files = Object.keys(outputs).filter((file) => file.endsWith('.js'));
  const isStart = (file) => starts.some((start) => file === `dist/${start}` || file.startsWith(`dist/${start}-`));
  const imported = (file, ...kinds) =>
    outputs[file].imports.filter((one) => kinds.includes(one.kind) && one.path in outputs).map((one) => one.path);
  const closure = (file, kinds, seen = new Set()) => {
    if (seen.has(file)) return seen;
    seen.add(file);
    for (const next of imported(file, ...kinds)) closure(next, kinds, seen);
    return seen;
  };
  const entries = new Set([
    ...files.filter((file) => outputs[file].entryPoint !== undefined),
    ...files.flatMap((file) => imported(file, 'dynamic-import')),
  ]);
  const begun = files.filter(isStart).map((file) => closure(file, ['import-statement']));
  const ofRunner = new Set();
  for (const runner of runners)
    if (files.includes(`dist/${runner}`)) closure(`dist/${runner}`, ['import-statement', 'dynamic-import'], ofRunner);
  const groups = new Map();
  for (const file of inOrder(files, (one) => imported(one, 'import-statement'))) {
    const key = `${begun.map((start) => Number(start.has(file))).join('')}${Number(ofRunner.has(file))}`;
    if (entries.has(file) || !begun.some((start) => start.has(file))) continue;
    const group = groups.get(key) ?? groups.set(key, []).get(key);
    const last = group.at(-1);
    if (last !== undefined && last.bytes + outputs[file].bytes <= largest) last.add(file);
    else group.push(newGroup(file));
  }
  function newGroup(first) {
    const made = {
      files: [],
      bytes: 0,
      add(file) {
        made.files.push(file);
        made.bytes += outputs[file].bytes;
      },
    };
    made.add(first);
    return made;
  }
  const joined = [...groups.values()].flat().filter((group) => group.files.length > 1);
  return new Map(joined.map((group, index) => [`joined-${index + 1}.js`, group.files.map(nameOf)]));
}

/** Dependencies first. */
function inOrder(files, needs) {
  const ordered = new Set();
  const visit = (file) => {
    if (ordered.has(file)) return;
    for (const needed of needs(file)) visit(needed);
    ordered.add(file);
  };
  files.forEach(visit);
  return ordered;
}

/** Names the joined file wherever a part of it was named. `own` is the file that the code is of. */
export function requireJoined(code, joined, own) {
  const home = homes(joined);
  return code.replaceAll(/\brequire\("(\.\/(?:late\/)?)([^"/]+\.js)"\)/g, (whole, folder, part) => {
    if (!home.has(part)) return whole;
    return home.get(part) === home.get(own) ? `joined["${part}"]` : `require("${folder}${home.get(part)}")["${part}"]`;
  });
}

function homes(joined) {
  return new Map([...joined].flatMap(([file, parts]) => parts.map((part) => [part, file])));
}

/** In place of the parts the files that hold them, in the order of `joined`. Each part keeps a scope of its own. */
export function withJoined(written, joined) {
  const byName = new Map(written.map((one) => [path.basename(one.target), one]));
  const home = homes(joined);
  const alone = written.filter(({ target }) => !home.has(path.basename(target)));
  const files = [...joined].map(([file, parts]) => {
    let code = 'const joined = (module.exports = {});\n';
    const sections = [];
    let folder = '';
    for (const part of parts) {
      const { target, code: own, map } = byName.get(part);
      folder = path.dirname(target);
      code += `joined["${part}"] = ((module, exports) => {\n`;
      sections.push({ offset: { line: code.split('\n').length - 1, column: 0 }, map: JSON.parse(map) });
      code += `${own}return module.exports;\n})({ exports: {} });\n`;
    }
    return { target: path.join(folder, file), code, map: JSON.stringify({ version: 3, sections }) };
  });
  return [...alone, ...files];
}
