// Where a JavaScript or TypeScript text names other modules: by its tokens, so that comments, strings and templates that only look like it are left alone.

export interface Specifier {
  /** What is between the quotes, and where. */
  text: string;
  start: number;
  end: number;
  /** `reference`: of a `///` line, relative also without a dot. `string`: one that names a module to nobody but a library, such as that of jest.mock(). */
  kind: 'import' | 'reference' | 'string';
}

/** Files that have specifiers. */
export const scriptExtensions = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'vue', 'svelte'] as const;

const isScript = new RegExp(`\\.(?:${scriptExtensions.join('|')})$`, 'i');

export function hasSpecifiers(path: string): boolean {
  return isScript.test(path);
}

/** In their order. */
export function specifiersOf(text: string, path: string): Specifier[] {
  if (!hasSpecifiers(path)) return [];
  if (!/\.(?:vue|svelte)$/i.test(path)) return new Scan(text).all();
  return [...text.matchAll(/(<script\b[^>]*>)([^]*?)<\/script\s*>/gi)].flatMap(({ index, 1: tag = '', 2: code = '' }) =>
    new Scan(code).all().map((found) => {
      const shift = index + tag.length;
      return { ...found, start: found.start + shift, end: found.end + shift };
    }),
  );
}

/** A comment, a string, a name, a number, or one character. */
const token =
  /\s+|\/\/[^\n\r]*|\/\*[^]*?\*\/|(["'])(?:\\[^]|(?!\1)[^\\\n\r])*\1|[\p{ID_Start}$_#@][\p{ID_Continue}$]*|\d[\w.]*|[^]/suy;
const regularExpression = /\/(?:\\[^\n\r]|\[(?:\\[^\n\r]|[^\]\\\n\r])*\]|[^/\\[\n\r])+\/[a-z]*/y;
/** Up to its end, or to the next `${`. */
const templatePart = /(?:\\[^]|\$(?!\{)|[^\\`$])*(?:`|\$\{|$)/y;

/** After these a slash begins a regular expression, as it does after most signs. */
const beforeExpression = new Set(
  'return typeof case in of delete void throw new else do instanceof yield await'.split(' '),
);
const wordLike = /^[\p{ID_Start}$_#@\d]/u;

class Scan {
  readonly #text: string;
  readonly #found: Specifier[] = [];
  /** The last tokens, the newest first. */
  #last: readonly string[] = [];
  #depth = 0;
  /** How deep the braces were at each open `${`. */
  readonly #templates: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  all(): Specifier[] {
    for (let at = 0; at < this.#text.length;) at = this.#next(at);
    return this.#found.sort((one, other) => one.start - other.start);
  }

  #next(at: number): number {
    const sign = this.#text.charAt(at);
    if (sign === '`') return this.#template(at + 1, true);
    if (sign === '}' && this.#templates.at(-1) === this.#depth - 1) {
      this.#depth = this.#templates.pop() ?? 0;
      return this.#template(at + 1, false);
    }
    const expression = sign === '/' && this.#mayBeExpression(at) ? this.#match(regularExpression, at) : undefined;
    const found = expression ?? this.#match(token, at) ?? sign;
    const end = at + found.length;
    if (expression !== undefined) this.#push('/re/');
    else if (found.startsWith('//') || found.startsWith('/*')) this.#comment(found, at);
    else if (/^["']./.test(found)) this.#string(at + 1, end - 1);
    else if (found.trim() !== '') this.#sign(found);
    return end;
  }

  #match(pattern: RegExp, at: number): string | undefined {
    pattern.lastIndex = at;
    return pattern.exec(this.#text)?.[0];
  }

  #push(found: string): void {
    this.#last = [found, ...this.#last.slice(0, 3)];
  }

  #sign(found: string): void {
    if (found === '{') this.#depth++;
    if (found === '}') this.#depth--;
    this.#push(found);
  }

  /** A whole one without substitutions is a string. */
  #template(start: number, isWhole: boolean): number {
    const part = this.#match(templatePart, start) ?? '';
    const end = start + part.length;
    if (part.endsWith('${')) {
      this.#templates.push(this.#depth++);
      this.#push('${');
    } else if (isWhole && part.endsWith('`')) this.#string(start, end - 1);
    else this.#push('""');
    return end;
  }

  /** Also the slash of a tag of JSX is none. */
  #mayBeExpression(at: number): boolean {
    const [before = '('] = this.#last;
    const next = this.#text.charAt(at + 1);
    if (next === '/' || next === '*' || next === '>' || before === '<') return false;
    return wordLike.test(before) ? beforeExpression.has(before) : !/^(?:[)\]}]|""|\/re\/)/.test(before);
  }

  #string(start: number, end: number): void {
    const text = this.#text.slice(start, end);
    const kind = this.#isImport(end) ? 'import' : 'string';
    // What is escaped names no file that anybody has.
    if (!text.includes('\\') && !/[\n\r]/.test(text) && (kind === 'import' || /^\.{1,2}(?:\/|$)/.test(text)))
      this.#found.push({ text, start, end, kind });
    this.#push('""');
  }

  #isImport(end: number): boolean {
    const [first = '', second = '', third = '', fourth = ''] = this.#last;
    if (first === 'from') return second === '}' || second === '*' || /^[\p{ID_Start}$_]/u.test(second);
    if (first === 'import') return second !== '.';
    if (first === 'module') return second === 'declare';
    if (first !== '(') return false;
    if (second === 'import' || second === 'require') return third !== '.';
    if (second === 'resolve') return third === '.' && fourth === 'require';
    return second === 'URL' && /^["'`]\s*,\s*import\.meta\.url\b/.test(this.#text.slice(end, end + 60));
  }

  /** Types of JSDoc, and references. */
  #comment(comment: string, at: number): void {
    const add = (pattern: RegExp, kind: Specifier['kind']): void => {
      for (const { index, 0: whole, 2: text = '' } of comment.matchAll(pattern)) {
        const start = at + index + whole.lastIndexOf(text);
        this.#found.push({ text, start, end: start + text.length, kind });
      }
    };
    if (comment.startsWith('///')) add(/<reference\s+path\s*=\s*(["'])([^"'\n]+)\1/g, 'reference');
    if (!comment.startsWith('/**')) return;
    add(/\bimport\(\s*(["'])([^"'\n]+)\1\s*(?=\))/g, 'import');
    add(/@import\s[^*@]*?\sfrom\s+(["'])([^"'\n]+)\1/g, 'import');
  }
}
