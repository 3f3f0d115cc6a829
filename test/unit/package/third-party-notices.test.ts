// Everything of others that is shipped comes with its licence.
import assert from 'node:assert/strict';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { readFileSync } from 'node:fs';
// @ts-expect-error: the build script is plain JavaScript.
import { bundles } from '../../../esbuild.mjs';
// @ts-expect-error: part of the build script.
import { shippedPackages, thirdPartyNotices } from '../../../third-party-notices.mjs';

const packagesOf = shippedPackages as (metafiles: readonly Metafile[]) => string[];
const noticesOf = thirdPartyNotices as (folders: readonly string[]) => Promise<string>;

describe('the notices of third parties', function () {
  this.timeout(60_000);
  let folders: string[] = [];
  let text = '';

  before(async () => {
    const built = await Promise.all(
      Object.values(bundles as Record<string, BuildOptions>).map((options) =>
        build({ ...options, write: false, metafile: true }),
      ),
    );
    // Found apart from the code under test: every file of a package of which something is in a bundle.
    const files = built
      .flatMap(({ metafile }) => Object.values(metafile.outputs))
      .flatMap(({ inputs }) =>
        Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
      );
    folders = [...new Set(files.filter((file) => file.includes('node_modules/')).map(packageOf))];
    text = await noticesOf(packagesOf(built.map(({ metafile }) => metafile as Metafile)));
  });

  it('name every package of the bundles, with its version', () => {
    assert.ok(folders.length > 60, `${folders.length} packages`);
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    assert.ok(folders.includes('node_modules/zod') && 'zod' in dependencies);
    const missing = [...folders, 'node_modules/@vscode/codicons']
      .map(nameOf)
      .filter((line) => !text.includes(`\n${line} (`));
    assert.deepEqual(missing, []);
  });

  it('hold the texts, each once', () => {
    const parts = text.split(`\n${'='.repeat(80)}\n\n`).slice(1);
    assert.ok(
      parts.length >= 20 && parts.length < folders.length,
      `${parts.length} texts for ${folders.length} packages`,
    );
    const texts = parts.map((part) => part.slice(part.indexOf('\n\n')));
    assert.deepEqual(
      texts.filter(
        (one, index) => texts.indexOf(one) !== index || !/licen[cs]e|permi(ssion|tted)|attribution/i.test(one),
      ),
      [],
    );
    const mit = readFileSync('node_modules/preact/LICENSE', 'utf8').trim();
    assert.ok(text.includes(mit));
  });
});

function packageOf(file: string): string {
  const parts = file.split('/');
  const last = parts.lastIndexOf('node_modules');
  return parts
    .slice(parts.indexOf('node_modules'), last + (parts[last + 1]?.startsWith('@') === true ? 3 : 2))
    .join('/');
}

function nameOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
    name: string;
    version: string;
  };
  return `${name} ${version}`;
}
