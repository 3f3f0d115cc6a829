// Which tools a text for the model names. "Read it again" is a verb, and so are some others where a sentence begins.
import { getAllBaseTools } from '../../src/core/tools/registry';

const names = getAllBaseTools().map(({ name }) => name);

/** Words that are also English: they name the tool unless they are used so. */
const otherwise: Readonly<Record<string, RegExp>> = {
  Read: /\bRead (?:it|them|the|that|this|its|all|what|line|lines|only|several|each|every|any|from|parts|no|a|an|\d)\b|\bRead \/|\bRead-only/g,
  Edit: /\bEdit automatically\b/g,
  Write: /\bWrite (?:it|them|the|that|a|an|your|code|down|domains|long|nothing|alternatives|`|\{)/g,
  Agent: /\bAgent (?:a[\w-]+|\d)\b|\bAgents?:/g,
  Skill: /\bSkills\b/g,
  Problems: /^#+ Problems$/gm,
};

/** As they are in the text, each once. */
export function namedTools(text: string): string[] {
  return names.filter((name) => {
    const plain = otherwise[name] === undefined ? text : text.replace(otherwise[name], '');
    return new RegExp(`(?<![\\w/.@-])${name}(?![\\w/(]|\\.\\w|:\\w)`).test(plain);
  });
}
