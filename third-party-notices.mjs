// The licences of what Deft ships of others: the packages that the bundles hold, and what is copied beside them.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Shipped as files, so in no bundle. */
const copied = ['@vscode/codicons', '@anthropic-ai/sandbox-runtime'];
const licenceFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i;
const rule = '='.repeat(80);
/** Packages that hold others, whose licences are in files of their own. */
const heldLicences = {
  'playwright-core': ['ThirdPartyNotices.txt', 'lib/utilsBundle.js.LICENSE'],
};

/** Folders of the packages of which a bundle holds at least a byte, from the root of the project. */
export function shippedPackages(metafiles) {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs)),
  );
  const folders = inputs.flatMap(([input, { bytesInOutput }]) =>
    bytesInOutput > 0 ? (packageFolder(input) ?? []) : [],
  );
  return [...new Set([...folders, ...copied.map((name) => `node_modules/${name}`)])].sort();
}

/** The innermost package; a plugin's name may stand before the path. */
const packageFolder = (input) => /(?<![\w-])((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];

/** One text: every package with its version, under the licence that it comes with; equal texts stand once. */
export async function thirdPartyNotices(folders) {
  const packages = await Promise.all(folders.map(readPackage));
  const byText = new Map();
  for (const each of packages) {
    const texts = each.texts.length > 0 ? each.texts : textsOfSameOwner(each, packages);
    for (const text of texts)
      byText.set(text, [...(byText.get(text) ?? []), `${each.name} ${each.version} (${each.license})`]);
  }
  const parts = [...byText].map(([text, names]) => `${[...new Set(names)].join('\n')}\n\n${text}\n`);
  return [
    'Deft is built with the packages below. Each part names packages, then the licence that they come with.\n',
    ...parts,
  ].join(`\n${rule}\n\n`);
}

async function readPackage(folder) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const own = (await readdir(folder)).filter((file) => licenceFile.test(file)).sort();
  const files = [...own, ...(heldLicences[name] ?? [])];
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  return { name, version, license, texts: texts.map(tidy) };
}

/** Blanks at line ends and a byte order mark make no other licence. */
const tidy = (text) =>
  text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .trim();

/** A few packages of a large SDK name their licence and hold no text of it: that of the packages beside them counts. */
function textsOfSameOwner({ name, license }, packages) {
  const owner = name.split('/')[0];
  const beside = packages.find(
    (other) => other.texts.length > 0 && other.license === license && other.name.startsWith(`${owner}/`),
  );
  if (beside === undefined) throw new Error(`${name} is shipped, and holds no text of its licence (${license}).`);
  return beside.texts;
}
