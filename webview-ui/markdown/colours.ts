// Colours code: text and a language give lines of pieces, each with the class of its token. Loaded by the first code that is shown.
import { type CodeLine, type CodePiece, plainLines } from './code-lines';
import { hljs } from './languages';

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

/** Lines without their line ends. Never throws: code that cannot be coloured stays plain. */
export function highlightLines(code: string, language: string | undefined): CodeLine[] {
  if (language === undefined || hljs.getLanguage(language) === undefined) return plainLines(code);
  const cut = code.length > MAX_COLOURED ? code.lastIndexOf('\n', MAX_COLOURED) : code.length;
  if (cut <= 0) return plainLines(code);
  const coloured = splitLines(pieces(code.slice(0, cut), language));
  return cut === code.length ? coloured : [...coloured, ...plainLines(code.slice(cut + 1))];
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
  return scope
    .split('.')
    .map((part) => `code-${part}`)
    .join(' ');
}
