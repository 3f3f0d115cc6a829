// The text of a file that names servers: what it holds, and where in it a thing stands.
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { isObject } from '../../shared/plain-object';

export interface ConfigText {
  /** Undefined if there is none at this place. */
  valueAt(path: readonly string[]): unknown;
  /** ":3:7" after the file's name; empty where the place is not in the text. */
  position(path: readonly string[]): string;
}

/** Comments and trailing commas are fine. A sentence where the text is not JSON. */
export function parseConfigText(name: string, text: string): ConfigText | string {
  const plain = text.replace(/^\ufeff/, '');
  if (plain.trim() === '') return empty;
  let tree: Node | undefined;
  // A large file of another program is read in a tenth of the time this way.
  const whole = quickly(plain);
  if (whole === undefined) {
    const errors: ParseError[] = [];
    tree = treeOf(plain, errors);
    const [first] = errors;
    if (first !== undefined)
      return `${name}${place(plain, first.offset)}: this is not valid JSON (${printParseErrorCode(first.error)}). Its servers are missing until you fix it.`;
    if (tree === undefined) return `${name}: this is not valid JSON. Its servers are missing until you fix it.`;
  }
  const root: unknown = whole === undefined ? getNodeValue(tree as Node) : whole.value;
  return {
    valueAt: (path) =>
      path.reduce<unknown>(
        (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
        root,
      ),
    position(path) {
      tree ??= treeOf(plain, []);
      const node = tree === undefined ? undefined : findNodeAtLocation(tree, [...path]);
      return node === undefined ? '' : place(plain, (node.parent?.type === 'property' ? node.parent : node).offset);
    },
  };
}

const empty: ConfigText = { valueAt: () => undefined, position: () => '' };

function quickly(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function treeOf(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch {
    // Nested too deeply.
    return undefined;
  }
}

function place(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return `:${before.split('\n').length}:${offset - before.lastIndexOf('\n')}`;
}
