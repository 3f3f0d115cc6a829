// A notebook as its cells, from the JSON text of any format version that has been in use (2 to 4).
import { isObject } from '../../../shared/plain-object';

export interface NotebookCell {
  /** Its own where no other cell has the same; else `cell-N`, counted from 0. */
  id: string;
  /** False where the id is only its place. */
  named: boolean;
  /** `code`, `markdown`, `raw`; what else a file may say. */
  type: string;
  source: string;
  json: Readonly<Record<string, unknown>>;
}

export interface Notebook {
  major: number;
  minor: number;
  /** The language of the code cells, in lower case. */
  language: string | undefined;
  /** The file extension of a script of these cells, with the dot. */
  extension: string;
  cells: NotebookCell[];
}

type Fields = Readonly<Record<string, unknown>>;

export function hasNotebookExtension(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/** Undefined for what is not a notebook. */
export function parseNotebook(text: string): Notebook | undefined {
  return notebookOf(parse(text));
}

/** The notebook that the JSON holds. */
export function notebookOf(root: Fields | undefined): Notebook | undefined {
  const major = root?.['nbformat'];
  if (root === undefined || typeof major !== 'number') return undefined;
  const lists = major >= 4 ? [root['cells']] : worksheets(root).map((sheet) => sheet['cells'] ?? []);
  if (!lists.every((list): list is unknown[] => Array.isArray(list))) return undefined;
  const cells = lists.flat();
  if (!cells.every(isObject)) return undefined;
  const counts = new Map<unknown, number>();
  for (const { id } of cells) counts.set(id, (counts.get(id) ?? 0) + 1);
  const { language, extension } = languageOf(root);
  return {
    major,
    minor: typeof root['nbformat_minor'] === 'number' ? root['nbformat_minor'] : 0,
    language,
    extension,
    cells: cells.map((json, index): NotebookCell => {
      const own = json['id'];
      const named = typeof own === 'string' && own !== '' && counts.get(own) === 1;
      const type = typeof json['cell_type'] === 'string' ? json['cell_type'] : 'unknown';
      return { id: named ? own : `cell-${index}`, named, type, source: joined(json[sourceKey(major, type)]), json };
    }),
  };
}

/** Where a cell keeps its text. */
export function sourceKey(major: number, type: string): 'source' | 'input' {
  return major < 4 && type === 'code' ? 'input' : 'source';
}

/** Texts are one string or a list of lines. */
export function joined(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
}

function parse(text: string): Fields | undefined {
  try {
    const root: unknown = JSON.parse(text);
    return isObject(root) ? root : undefined;
  } catch {
    return undefined;
  }
}

function worksheets(root: Fields): Fields[] {
  const sheets = root['worksheets'];
  return Array.isArray(sheets) ? sheets.filter(isObject) : [];
}

function languageOf(root: Fields): { language: string | undefined; extension: string } {
  const metadata = fieldsOf(root['metadata']);
  const info = fieldsOf(metadata['language_info']);
  const name = info['name'] ?? fieldsOf(metadata['kernelspec'])['language'];
  const language = typeof name === 'string' && name !== '' ? name.toLowerCase() : undefined;
  const extension = info['file_extension'];
  if (typeof extension === 'string' && /^\.\w+$/.test(extension)) return { language, extension };
  return { language, extension: language === undefined || language === 'python' ? '.py' : '.txt' };
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}
