// Where the SDKs lie in what ships: in files of their own, which both hosts read when they need one, and none of which holds what nobody uses.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build, type BuildOptions, type BuildResult, type Metafile } from 'esbuild';
import { temporaryFolder } from '../../rig/cleanup';

interface Build {
  bundles: Record<string, BuildOptions>;
  writeAsCommonJs(parts: BuildResult): Promise<void>;
}

const libraries =
  /node_modules\/(@anthropic-ai\/(?:\w+-)?sdk\/|@aws-sdk|@aws-crypto|@smithy|google-auth-library|gaxios|gcp-metadata)/;

describe('the files of the SDKs', function () {
  this.timeout(120_000);
  let outputs: Metafile['outputs'];
  let folder: string;
  let script: Build;

  before(async () => {
    script = (await import(pathToFileURL(path.resolve('esbuild.mjs')).href)) as Build;
    folder = temporaryFolder('sdks');
    const result = await build({ ...script.bundles['sdks'], outdir: folder, metafile: true, write: false });
    await script.writeAsCommonJs(result);
    outputs = result.metafile.outputs;
  });

  const inputs = (files: readonly string[]): string[] =>
    files.flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));

  it('hold what neither host has in its own bundle', async () => {
    for (const name of ['extension', 'headless']) {
      const { metafile } = await build({ ...script.bundles[name], metafile: true, write: false, outdir: 'nowhere' });
      const found = Object.keys(metafile.inputs).filter((input) => libraries.test(input));
      assert.deepEqual(
        found.filter((input) => !/sandbox-runtime/.test(input)),
        [],
        name,
      );
    }
    assert.ok(inputs(Object.keys(outputs)).some((input) => libraries.test(input)));
  });

  it('are read one by one: what one SDK needs alone is not read for another', () => {
    const entry = Object.keys(outputs).find((file) => file.endsWith('/provider-sdks.js')) ?? '';
    const reads = (file: string, seen = new Set<string>()): Set<string> => {
      if (seen.has(file) || outputs[file] === undefined) return seen;
      seen.add(file);
      for (const { path: needed, kind } of outputs[file].imports) if (kind === 'import-statement') reads(needed, seen);
      return seen;
    };
    assert.deepEqual(
      inputs([...reads(entry)]).filter((input) => libraries.test(input)),
      [],
    );
    const part = (module: RegExp): string =>
      Object.entries(outputs).find(([, { entryPoint }]) => module.test(entryPoint ?? ''))?.[0] ?? '';
    const foundry = inputs([...reads(part(/foundry-sdk\/client/))]);
    assert.ok(foundry.length > 10);
    assert.deepEqual(
      foundry.filter((input) => /@aws-|@smithy|google-|gaxios/.test(input)),
      [],
    );
    assert.deepEqual(
      inputs([...reads(part(/vertex-sdk\/client/))]).filter((input) => /@aws-|@smithy/.test(input)),
      [],
    );
    // The chain of credentials comes when no variable has them.
    assert.deepEqual(
      inputs([...reads(part(/bedrock-sdk\/client/))]).filter((input) =>
        /credential-provider|nested-clients/.test(input),
      ),
      [],
    );
  });

  it('are without what nobody uses', () => {
    const all = inputs(Object.keys(outputs));
    assert.deepEqual(
      all.filter((input) =>
        /node_modules\/(bowser|node-fetch|web-streams-polyfill|https-proxy-agent|bignumber\.js|@aws-crypto\/sha256-js|@aws-sdk\/credential-provider-cognito)/.test(
          input,
        ),
      ),
      [],
    );
  });

  it('hash as AWS wants it', async () => {
    const source = path.join(folder, 'hash.ts');
    await writeFile(
      source,
      "import { Sha256 } from '@aws-crypto/sha256-js';\nexport const hash = async (text: string, key?: Uint8Array) => { const made = new Sha256(key); made.update(new TextEncoder().encode(text)); return Buffer.from(await made.digest()).toString('hex'); };",
    );
    const options = script.bundles['sdks'] ?? {};
    const { outputFiles } = await build({
      ...options,
      entryPoints: [source],
      splitting: false,
      outdir: folder,
      sourcemap: false,
      write: false,
    });
    const file = path.join(folder, 'hash.mjs');
    await writeFile(file, outputFiles?.[0]?.text ?? '');
    const { hash } = (await import(pathToFileURL(file).href)) as {
      hash(text: string, key?: Uint8Array): Promise<string>;
    };
    assert.equal(await hash('Grüße'), createHash('sha256').update('Grüße').digest('hex'));
    assert.equal(await hash('Grüße', Buffer.from('key')), createHmac('sha256', 'key').update('Grüße').digest('hex'));
  });

  it('give each SDK as it is written', async () => {
    assert.ok((await readdir(path.join(folder, 'late'))).includes('provider-sdks.js'));
    const code = `const { providerSdks } = require(${JSON.stringify(path.join(folder, 'late', 'provider-sdks.js'))});
      (async () => { const made = []; for (const name of Object.keys(providerSdks)) { const one = await providerSdks[name](); made.push(name + ' ' + (typeof one === 'function' ? one.name : Object.keys(one).sort().join())); } console.log(JSON.stringify(made)); })();`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', code]);
    assert.deepEqual(JSON.parse(stdout), [
      'anthropic Anthropic',
      'bedrock AnthropicBedrock',
      'awsCredentials fromHttp,fromIni,fromInstanceMetadata,fromSSO,fromTokenFile',
      'vertex AnthropicVertex',
      'googleAuth GoogleAuth',
      'foundry AnthropicFoundry',
    ]);
  });
});
