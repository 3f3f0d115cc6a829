// One file of a skill or a command as data: its fields, with a sentence for each that is not taken.
import { defined } from '../../shared/defined';
import { getNodeValue, parseTree } from 'jsonc-parser';
import { headOf } from '../../shared/cut-text';
import { booleanField, type Frontmatter, listField, readFrontmatter, textField } from '../text/frontmatter';
import { type FileHooks, readHookKey } from '../hooks/read-hooks';
import { efforts } from '../wire/wire';
import { parseRule } from '../permissions/rules/rule-syntax';
import { pluginHookEntries } from '../hooks/plugin-hooks';
import { type Skill, type SkillFork, type SkillOrigin } from './skill';

export interface SkillPlace extends SkillOrigin {
  /** What its folder, or its file, is called. */
  name: string;
  /** For a command in a subfolder: "frontend", or "frontend:forms". */
  within?: string;
}

/** What the model is sent about one skill, in characters. */
export const maxDescription = 1_536;
const maxName = 64;

export interface ReadSkill {
  /** Undefined where the file is none. */
  skill?: Skill;
  /** Sentences. */
  problems: string[];
}

export function readSkill(text: string, place: SkillPlace): ReadSkill {
  const { kind } = place;
  const { fields, body, problem } = readFrontmatter(text);
  if (problem !== undefined) return { problems: [problem] };
  const { names, isNamed, called } = namesOf(place);
  if (!isNamed)
    return {
      problems: [
        `Its name would be ${JSON.stringify(called)}: names have letters, digits, "-", "_" and ".", at most ${maxName} characters.`,
      ],
    };
  if (body.trim() === '') return { problems: ['It has no text.'] };
  const problems: string[] = [];
  const addProblem = (sentence: string | undefined): void => void (sentence !== undefined && problems.push(sentence));
  const words = wordsOf(fields, body, place, addProblem);
  const flag = (field: string): boolean | undefined => {
    const value = booleanField(fields, field);
    if (value === undefined && fields[field] !== undefined) addProblem(`\`${field}\` must be true or false.`);
    return value;
  };
  const context = textField(fields, 'context');
  if (context !== undefined && context !== 'fork')
    addProblem(`\`context\` may be \`fork\`, not ${JSON.stringify(context)}.`);
  const effortText = textField(fields, 'effort');
  const effort = efforts.find((one) => one === effortText);
  if (effortText !== undefined && effort === undefined) addProblem(`\`effort\` must be one of ${efforts.join(', ')}.`);
  const shell = textField(fields, 'shell');
  if (shell !== undefined && shell !== 'bash' && shell !== 'powershell')
    addProblem('`shell` must be bash or powershell.');
  const model = textField(fields, 'model');
  const agent = textField(fields, 'agent');
  const hooks = hooksOf(fields, place, addProblem);
  const given = (listField(fields, 'arguments') ?? []).flatMap((part) => part.split(/\s+/));
  return {
    skill: {
      ...names,
      ...defined({ plugin: place.plugin }),
      ...words,
      arguments: given.filter(
        (one) =>
          /^[A-Za-z_]\w*$/.test(one) || (addProblem(`${JSON.stringify(one)} is not a valid argument name.`), false),
      ),
      forModel: flag('disable-model-invocation') !== true,
      forUser: flag('user-invocable') !== false,
      allowedTools: rulesOf(fields, 'allowed-tools', addProblem),
      disallowedTools: rulesOf(fields, 'disallowed-tools', addProblem),
      ...(model === undefined || model === 'inherit' ? {} : { model }),
      ...defined({ effort }),
      ...defined({ fork: forkOf(context, agent, flag('background')) }),
      ...defined({ hooks }),
      paths: kind === 'command' ? [] : (listField(fields, 'paths') ?? []),
      shell: shell === 'powershell' ? shell : 'bash',
      body: body.trim(),
      source: place.source,
      kind,
      file: place.file,
      folder: place.folder,
      root: place.root,
    },
    problems,
  };
}

/** A command of a folder is called by both; `called` is without its plugin. */
function namesOf({ name, within, plugin }: SkillPlace): {
  names: Pick<Skill, 'name' | 'shortName'>;
  called: string;
  isNamed: boolean;
} {
  const inPlugin = (one: string): string => (plugin === undefined ? one : `${plugin.name}:${one}`);
  if (within === undefined) return { names: { name: inPlugin(name) }, called: name, isNamed: isSkillName(name) };
  const called = `${within}:${name}`;
  const names = { name: inPlugin(called), shortName: inPlugin(name) };
  return { names, called, isNamed: called.split(':').every(isSkillName) };
}

function forkOf(
  context: string | undefined,
  agent: string | undefined,
  background: boolean | undefined,
): SkillFork | undefined {
  return context === 'fork' ? { ...defined({ agent }), background: background === true } : undefined;
}

/** What the model and the user read of it. */
function wordsOf(
  fields: Frontmatter['fields'],
  body: string,
  { name, kind }: SkillPlace,
  addProblem: (sentence: string) => void,
): Pick<Skill, 'description' | 'whenToUse' | 'argumentHint'> {
  const written = textField(fields, 'name');
  if (kind === 'skill' && written !== undefined && written !== name)
    addProblem(`It sets the name ${JSON.stringify(written)}; its folder's name, \`${name}\`, is used.`);
  const description = oneLine(textField(fields, 'description') ?? firstParagraph(body));
  const whenToUse = textField(fields, 'when_to_use') ?? textField(fields, 'when-to-use');
  const argumentHint = textField(fields, 'argument-hint') ?? hintOf(fields);
  return {
    ...cutBoth(description, whenToUse === undefined ? undefined : oneLine(whenToUse), addProblem),
    ...(argumentHint === undefined ? {} : { argumentHint: oneLine(argumentHint) }),
  };
}

function isSkillName(name: string): boolean {
  return name.length <= maxName && /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name);
}

/** YAML reads `[file]` as a list. */
function hintOf(fields: Frontmatter['fields']): string | undefined {
  const value = fields['argument-hint'];
  return Array.isArray(value) ? value.map((part) => `[${String(part)}]`).join(' ') : undefined;
}

/** Both together are what the model is sent. */
function cutBoth(
  description: string,
  whenToUse: string | undefined,
  addProblem: (sentence: string) => void,
): Pick<Skill, 'description' | 'whenToUse'> {
  if (description.length + (whenToUse?.length ?? 0) > maxDescription)
    addProblem(
      `Its description and when_to_use have more than ${maxDescription} characters together; the rest is not sent.`,
    );
  const head = headOf(description, maxDescription);
  const rest = whenToUse === undefined ? '' : headOf(whenToUse, maxDescription - head.length);
  return { description: head, ...(rest === '' ? {} : { whenToUse: rest }) };
}

function firstParagraph(body: string): string {
  const lines = body.trim().split('\n');
  const paragraph = lines.slice(lines.findIndex((line) => line.trim() !== ''));
  const end = paragraph.findIndex((line) => line.trim() === '');
  return paragraph
    .slice(0, end === -1 ? undefined : end)
    .join(' ')
    .replace(/^#+\s*/, '');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Rules as settings files write them, apart by commas or spaces. */
function rulesOf(fields: Frontmatter['fields'], field: string, addProblem: (sentence: string) => void): string[] {
  return (listField(fields, field) ?? []).flatMap(splitAtSpaces).filter((text) => {
    const isRule = parseRule(text) !== undefined;
    if (!isRule)
      addProblem(`\`${field}\`: ${JSON.stringify(text)} is not a rule. Rules look like Read or Bash(git diff *).`);
    return isRule;
  });
}

/** What cannot be parted without losing a bracket stays whole, and is not a rule then: half of one would allow more. */
function splitAtSpaces(text: string): string[] {
  const parts = text.match(/(?:\((?:\\.|[^()\\]|\([^()]*\))*\)|[^\s()])+/g) ?? [];
  return parts.join('').replace(/\s/g, '') === text.replace(/\s/g, '') ? parts : [text];
}

/** In the form of settings files, which has one reader. */
function hooksOf(
  fields: Frontmatter['fields'],
  { file, root, source, plugin }: SkillPlace,
  addProblem: (sentence: string) => void,
): FileHooks | undefined {
  if (fields['hooks'] === undefined || fields['hooks'] === null) return undefined;
  const node = parseTree(JSON.stringify(fields['hooks']));
  if (node === undefined || getNodeValue(node) === undefined) return undefined;
  const into: FileHooks = { entries: [] };
  const from =
    source === 'managed'
      ? 'managedSettings'
      : source === 'personal' || source === 'plugin'
        ? 'userSettings'
        : 'projectSettings';
  readHookKey(
    'hooks',
    node,
    into,
    { file, source: from, root, ...(source === 'project' ? { owner: file } : {}) },
    (_offset, message) => addProblem(message),
  );
  return plugin === undefined ? into : { entries: pluginHookEntries(into.entries, plugin) };
}
