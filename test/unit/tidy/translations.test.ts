// The texts of package.json and of the walkthrough: all can be translated, and each language has all of them, whole.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { keyOf, type Texts, textsOf } from '../../support/shown-manifest';

const languages = ['de', 'es', 'fr', 'ja', 'ko', 'pt-br', 'ru', 'zh-cn', 'zh-tw'];
const english = textsOf();
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;
/** The parts of package.json that VS Code shows; it translates the texts in them. */
const shown = Object.fromEntries(
  ['displayName', 'description', 'capabilities', 'contributes'].map((field) => [field, manifest[field]]),
);
const brand = 'Deft';

/** Fields whose values are no texts. A field that is not here is one that users read. */
const notRead = new Set([
  ...['id', 'command', 'submenu', 'group', 'when', 'enablement', 'icon', 'key', 'mac', 'visibility'],
  ...['type', 'scope', 'default', 'enum', 'items', 'additionalProperties', 'supported', 'restrictedConfigurations'],
  ...['language', 'scopeName', 'path', 'extensions', 'markdown', 'completionEvents', 'toolReferenceName'],
  // Read by a model.
  ...['modelDescription', 'inputSchema'],
]);

/** Words that are the same in a language. */
const same: Readonly<Record<string, readonly string[]>> = {
  'view.chat.name': ['de', 'es', 'fr', 'pt-br'],
  'view.sessions.name': ['fr'],
  'setting.inlineEdit.enum.ctrlAltI': ['es', 'fr', 'pt-br', 'ru'],
};

/** Code, targets of links, placeholders, icons, variables, files and settings: parts that no language changes. */
const fixed = /`[^`]*`|\]\([^)]*\)|\{\d+\}|\$\([\w-]+\)|\b[A-Z]+(?:_[A-Z]+)+\b|\b\w+\.md\b|\bdeft(?:\.\w+)+|\n|\*+|…$/g;

describe('translations', () => {
  const read = textsIn(shown);
  const used = new Set(read.flatMap(({ text }) => keyOf(text) ?? []));

  it('are of every text that package.json shows', () => {
    assert.ok(read.length > 280, `${read.length} texts`);
    assert.deepEqual(
      read.filter(({ text }) => keyOf(text) === undefined && text !== brand),
      [],
      'a text belongs into package.nls.json',
    );
    const planted = {
      commands: [{ command: 'a.b', title: 'Do It' }],
      properties: { x: { enumDescriptions: ['One.'] } },
    };
    assert.equal(textsIn(planted).length, 2, 'the check finds each');
  });

  it('have no key that is missing or that nobody uses', () => {
    assert.ok(used.size > 150, `${used.size} keys`);
    assert.deepEqual([...used].sort(), Object.keys(english).sort());
    // vsce replaces no others.
    assert.deepEqual(
      [...used].filter((key) => !/^[\w.]+$/.test(key)),
      [],
    );
  });

  it('are there in each language, and in no other', () => {
    assert.deepEqual(namesIn('.', /^package\.nls\.(.+)\.json$/), languages);
  });

  for (const language of languages) {
    it(`are whole in ${language}`, () => {
      const texts = textsOf(language);
      assert.deepEqual(Object.keys(texts), Object.keys(english), 'the same keys, in the same order');
      assert.deepEqual(faultsOf(texts), []);
      assert.deepEqual(
        Object.keys(texts).filter((key) => texts[key] === english[key]),
        Object.keys(english).filter((key) => same[key]?.includes(language)),
        'what is the same as in English is in the list above',
      );
    });

    it(`name commands in ${language} as their titles do`, () => {
      const texts = textsOf(language);
      const named = namedCommands();
      assert.deepEqual(
        named.filter(([key, title]) => !texts[key]?.includes(texts[title] ?? title)),
        [],
      );
    });

    it(`of the walkthrough are whole in ${language}`, () => {
      for (const page of walkthroughPages) {
        const [first = '', other = ''] = [`${page}.md`, `${page}.nls.${language}.md`].map((file) =>
          readFileSync(`${walkthrough}/${file}`, 'utf8'),
        );
        assert.notEqual(other, first);
        assert.deepEqual(partsOf(other), partsOf(first), page);
      }
    });
  }

  it('of the walkthrough are of every page', () => {
    assert.ok(walkthroughPages.length >= 4);
    assert.equal(namesIn(walkthrough, /^(.+)$/).length, walkthroughPages.length * (languages.length + 1));
  });

  it('find commands that texts name', () => assert.ok(namedCommands().length >= 3));

  it('find each fault', () => {
    const key = 'walkthrough.start.steps.key.description';
    const text = textsOf('de')[key] ?? '';
    for (const broken of [
      '',
      ` ${text}`,
      text.replace('deft.setApiKey', 'deft.setApiKeys'),
      text.replace('](command:deft.setApiKey)', ''),
      text.replace('\n', ' '),
    ])
      assert.equal(faultsOf({ [key]: broken }).length, 1, broken);
    assert.deepEqual(faultsOf({ [key]: text }), []);
    assert.equal(faultsOf({ 'setting.model.markdownDescription': 'Das Modell, z. B. `claude-opus-5-5`.' }).length, 1);
    assert.equal(faultsOf({ 'command.rewind.title': 'Zurückspulen' }).length, 1);
    assert.equal(faultsOf({ 'setting.memory.agentsMd.enum.never': 'Deft liest AGENT.md nicht.' }).length, 1);
    assert.equal(faultsOf({ 'setting.extensionTools.enum.listed': 'Die in deft.extensionTools genannten.' }).length, 1);
  });
});

const walkthrough = 'media/walkthrough';
const walkthroughPages = namesIn(walkthrough, /^([a-z]+)\.md$/);

/** What is wrong with translated texts. */
function faultsOf(texts: Texts): string[] {
  return Object.entries(texts).flatMap(([key, text]) => {
    if (text === '' || text !== text.trim()) return [`${key}: "${text}"`];
    const [theirs, ours] = [partsOf(text).join(' '), partsOf(english[key] ?? '').join(' ')];
    return theirs === ours ? [] : [`${key}: ${theirs} instead of ${ours}`];
  });
}

function partsOf(text: string): string[] {
  return (text.match(fixed) ?? []).sort();
}

/** Keys of settings' texts that name a command by its title, outside of code, with the key of that title. */
function namedCommands(): (readonly [key: string, title: string])[] {
  const titles = Object.keys(english).filter((key) => /^command\..*\.title$/.test(key) && english[key]?.includes(' '));
  return Object.entries(english)
    .filter(([key]) => key.startsWith('setting.'))
    .flatMap(([key, text]) => {
      const prose = text.replace(/`[^`]*`/g, '');
      return titles.filter((title) => prose.includes(english[title] ?? '')).map((title) => [key, title] as const);
    });
}

/** The texts that users read, each with its field. */
function textsIn(part: unknown, field = ''): { field: string; text: string }[] {
  if (typeof part === 'string') return [{ field, text: part }];
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part as Record<string, unknown>).flatMap(([name, value]) => {
    const isToolName = name === 'name' && 'modelDescription' in part;
    if (notRead.has(name) || isToolName) return [];
    return textsIn(value, Array.isArray(part) ? field : name);
  });
}

function namesIn(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder)
    .flatMap((file) => pattern.exec(file)?.[1] ?? [])
    .sort();
}
