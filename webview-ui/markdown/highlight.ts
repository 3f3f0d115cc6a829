// Colours code: text and a language give lines of pieces, each with the class of its token.
import { hljs } from './languages';

export interface CodePiece {
  text: string;
  /** CSS classes, or '' for plain text. */
  className: string;
}

export type CodeLine = readonly CodePiece[];

/** Longer code stays plain behind this point: colouring costs about a millisecond for 1,000 characters. */
export const MAX_COLOURED = 24_000;

/** Collects tokens in place of the HTML that highlight.js makes by default. */
class PieceEmitter {
  pieces: CodePiece[] = [];
  private scopes: string[] = [];

  addText(text: string): void {
    if (text !== '') this.pieces.push({ text, className: this.scopes.at(-1) ?? '' });
  }

  startScope(scope: string): void {
    this.scopes.push(classNames(scope));
  }

  endScope(): void {
    this.scopes.pop();
  }

  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  closeAllNodes(): void {
    this.scopes = [];
  }

  __addSublanguage(emitter: PieceEmitter): void {
    this.pieces.push(...emitter.pieces);
  }

  finalize(): void {
    this.closeAllNodes();
  }

  toHTML(): string {
    return '';
  }
}

hljs.configure({ __emitter: PieceEmitter });

/** The registered language for a fence's info string or a file's extension; undefined where there is none. */
export function languageOf(name: string): string | undefined {
  const word = /^[\w+#-]+/.exec(name.trim().toLowerCase())?.[0];
  return word !== undefined && hljs.getLanguage(word) ? word : undefined;
}

/** The language of a file by its extension. */
export function languageOfPath(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return languageOf(name.slice(name.lastIndexOf('.') + 1));
}

/** Lines without their line ends. Never throws: code that cannot be coloured stays plain. */
export function highlightLines(code: string, language: string | undefined): CodeLine[] {
  if (language === undefined) return plainLines(code);
  const cut = code.length > MAX_COLOURED ? code.lastIndexOf('\n', MAX_COLOURED) : code.length;
  if (cut <= 0) return plainLines(code);
  const coloured = splitLines(pieces(code.slice(0, cut), language));
  return cut === code.length ? coloured : [...coloured, ...plainLines(code.slice(cut + 1))];
}

export function plainLines(code: string): CodeLine[] {
  return code.split('\n').map((text) => (text === '' ? [] : [{ text, className: '' }]));
}

function pieces(code: string, language: string): readonly CodePiece[] {
  const result = hljs.highlight(code, { language, ignoreIllegals: true });
  const emitter: unknown = result._emitter;
  return emitter instanceof PieceEmitter && result.errorRaised === undefined
    ? emitter.pieces
    : [{ text: code, className: '' }];
}

function splitLines(all: readonly CodePiece[]): CodeLine[] {
  const lines: CodePiece[][] = [[]];
  for (const piece of all) {
    const parts = piece.text.split('\n');
    for (const [index, text] of parts.entries()) {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ text, className: piece.className });
    }
  }
  return lines;
}

/** "title.function" becomes "code-title code-function". */
function classNames(scope: string): string {
  if (scope.startsWith('language:')) return '';
  return scope.split('.').map((part) => `code-${part}`).join(' ');
}
