// What a file of VS Code asks the user for (`inputs`), and where its entries want the answers (`${input:id}`).
import { type McpInput } from '../ports/mcp';
import { isObject } from '../../shared/plain-object';

/** By id. What has another shape is left out: an entry that refers to it says so. */
export function readInputs(value: unknown): ReadonlyMap<string, McpInput> {
  const found = new Map<string, McpInput>();
  for (const input of Array.isArray(value) ? value.filter(isObject) : []) {
    const { id, type, description, default: initial, password, options } = input;
    if (typeof id !== 'string' || id === '' || (type !== 'promptString' && type !== 'pickString')) continue;
    const choices = type === 'pickString' && Array.isArray(options) ? options.flatMap(choiceOf) : [];
    if (type === 'pickString' && choices.length === 0) continue;
    found.set(id, {
      id,
      description: typeof description === 'string' && description.trim() !== '' ? description : id,
      isPassword: type === 'promptString' && password === true,
      choices,
      ...(typeof initial === 'string' ? { initial } : {}),
    });
  }
  return found;
}

const reference = /\$\{input:([^}]+)\}/g;

/** Ids that the text refers to, each once. */
export function inputsIn(text: string): string[] {
  return [...new Set([...text.matchAll(reference)].map(([, id = '']) => id))];
}

/** The answers are put in as they are. What has none becomes empty: such an entry is not started. */
export function putInputsIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(reference, (_whole, id: string) => (Object.hasOwn(values, id) ? (values[id] ?? '') : ''));
}

function choiceOf(option: unknown): McpInput['choices'] {
  if (typeof option === 'string') return [{ value: option, label: option }];
  if (!isObject(option) || typeof option['value'] !== 'string') return [];
  return [{ value: option['value'], label: typeof option['label'] === 'string' ? option['label'] : option['value'] }];
}
