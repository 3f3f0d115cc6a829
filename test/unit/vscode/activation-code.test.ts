// What the extension reads when VS Code activates it: not the agent, the vendor's code or zod, and VS Code's names once.
import assert from 'node:assert/strict';
import { build, type BuildOptions, type Metafile } from 'esbuild';
// @ts-expect-error: the build script is plain JavaScript.
import { bundles } from '../../../esbuild.mjs';

type Outputs = Metafile['outputs'];

describe('the code of an activation', function () {
  this.timeout(60_000);

  it('is without what only a chat needs', async () => {
    const { outputs } = await extension();
    const atOnce = inputsOf(readBy('dist/extension.js', outputs), outputs);
    const ever = inputsOf(Object.keys(outputs), outputs);
    assert.ok(atOnce.includes('src/vscode/window/window.ts'));
    for (const late of [
      /^src\/core\/tools\/registry/,
      /^src\/core\/session\/open-session\.ts/,
      /^src\/providers\/anthropic-client/,
      /^src\/providers\/bedrock-client/,
      /^src\/providers\/vertex-client/,
      /^src\/providers\/foundry-client/,
      /\/zod\//,
    ]) {
      assert.ok(
        ever.some((input) => late.test(input)),
        `${late} is in a part`,
      );
      assert.deepEqual(
        atOnce.filter((input) => late.test(input)),
        [],
      );
    }
  });

  it('is shared with the headless runner, which limits its heap and looks for compiled code before it reads anything else', async () => {
    const { outputs } = await extension();
    assert.deepEqual(inputsOf(readBy('dist/headless.js', outputs), outputs).sort(), [
      'src/headless/entry/code-cache.ts',
      'src/headless/entry/heap-limits.ts',
      'src/headless/entry/start.ts',
      'src/node/home-folder.ts',
    ]);
    const late = Object.keys(outputs).find((file) => /\/main-\w+\.js$/.test(file)) ?? '';
    const run = inputsOf(readBy(late, outputs), outputs);
    assert.ok(run.includes('src/headless/run.ts') && run.includes('src/core/loop/loop.ts'));
    assert.deepEqual(
      run.filter((input) => input.startsWith('src/vscode/')),
      [],
    );
  });

  it('has no client of addresses that Deft never asks', async () => {
    const { outputs } = await sdks();
    const sizes = Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).map(([input, { bytesInOutput }]) => [input, bytesInOutput] as const),
    );
    const size = (pattern: RegExp) =>
      sizes.filter(([input]) => pattern.test(input)).reduce((sum, [, bytes]) => sum + bytes, 0);
    assert.ok(size(/sdk\/resources\/messages\/messages\.mjs/) > 0);
    assert.ok(size(/sdk\/lib\/(environments|tools\/\w+Runner)|sdk\/tools\//) < 500);
  });

  it('copies the names of vscode once', async () => {
    const { outputs, text } = await extension();
    const imports = readBy('dist/extension.js', outputs).flatMap((file) => text(file).match(/from ?"vscode"/g) ?? []);
    assert.equal(imports.length, 1);
  });
});

const extension = () => outputsOf('extension');
/** What reaches a model. */
const sdks = () => outputsOf('sdks');

async function outputsOf(name: 'extension' | 'sdks') {
  const { metafile, outputFiles } = await build({
    ...(bundles as Record<typeof name, BuildOptions>)[name],
    write: false,
    metafile: true,
  });
  return {
    outputs: metafile.outputs,
    text: (file: string) => outputFiles.find(({ path }) => path.endsWith(`/${file}`))?.text ?? '',
  };
}

/** The file and what it imports before it runs. */
function readBy(file: string, outputs: Outputs, seen: string[] = []): string[] {
  if (seen.includes(file) || outputs[file] === undefined) return seen;
  seen.push(file);
  for (const { path, kind } of outputs[file].imports) if (kind === 'import-statement') readBy(path, outputs, seen);
  return seen;
}

function inputsOf(files: string[], outputs: Outputs): string[] {
  return files.flatMap((file) =>
    Object.entries(outputs[file]?.inputs ?? {})
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([input]) => input),
  );
}
