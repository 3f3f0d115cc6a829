// Reports of checkers in text: tsc, ESLint's stylish, rustc, and the line that most others print: `file:line:column: severity: message`.
import { defined } from '../../../shared/defined';
import { type FoundProblem } from './found-problem';

export interface ReadLines {
  problems: FoundProblem[];
  /** Errors of the checker itself, without a place. */
  placeless: string[];
  /** The other lines that say something. */
  rest: string[];
}

interface Reading extends ReadLines {
  /** The file that stylish lists problems of. */
  file: string | undefined;
  /** What rustc says before it says where. */
  head: { severity: string; code: string | undefined; message: string } | undefined;
  /** The problem above, whose message may go on. */
  last: FoundProblem | undefined;
}

type Form = (line: string, reading: Reading) => boolean;

export function readProblemLines(text: string): ReadLines {
  const reading: Reading = { problems: [], placeless: [], rest: [], file: undefined, head: undefined, last: undefined };
  for (const line of text.split('\n')) {
    if (line.trim() === '') {
      reading.file = undefined;
      reading.last = undefined;
    } else if (!forms.some((form) => form(line, reading))) {
      reading.last = undefined;
      reading.rest.push(line.trim());
    }
  }
  const { problems, placeless, rest } = reading;
  return { problems, placeless, rest };
}

const add = (reading: Reading, problem: FoundProblem): true => {
  reading.problems.push(problem);
  reading.last = problem;
  return true;
};

const severities: Readonly<Record<string, FoundProblem['severity']>> = {
  error: 'error',
  'fatal error': 'error',
  fatal: 'error',
  warning: 'warning',
  warn: 'warning',
  hint: 'hint',
};
const severityOf = (word: string): FoundProblem['severity'] => severities[word.toLowerCase()] ?? 'information';

/** `a.ts(1,2): error TS2322: …`, as the C# compiler writes it too, and `a.ts:1:2 - error TS2322: …`. */
const compiled: Form = (line, reading) => {
  const [, path, row, column, severity = '', code, message = ''] =
    /^(\S.*?)\((\d+),(\d+)\): (error|warning|info|message) ([A-Z]+\d+): (.*)$/.exec(line) ??
    /^(\S.*?):(\d+):(\d+) - (error|warning|info|message) ([A-Z]+\d+): (.*)$/.exec(line) ??
    [];
  if (path === undefined || code === undefined) return false;
  return add(reading, {
    path,
    line: Number(row),
    column: Number(column),
    severity: severityOf(severity),
    message: message.replace(/ \[[^\]]+\.\w*proj\]$/, ''),
    ...(code.startsWith('TS') ? { source: 'ts', code: code.slice(2) } : { code }),
  });
};

/** Longer explanations of tsc stand below, set in. */
const continued: Form = (line, { last }) => {
  if (last?.source !== 'ts' || !/^ {2,}\S/.test(line) || /^\s*\d*\s*~+\s*$/.test(line)) return false;
  last.message += ` ${line.trim()}`;
  return true;
};

const placeless: Form = (line, reading) => {
  if (!/^error TS\d+: /.test(line)) return false;
  reading.placeless.push(line);
  return true;
};

const stylish: Form = (line, reading) => {
  const [, row, column, severity = '', message = '', code] =
    /^\s+(\d+):(\d+)\s+(error|warning)\s+(.*?)(?:\s{2,}(\S+))?\s*$/.exec(line) ?? [];
  if (reading.file !== undefined && row !== undefined)
    return add(reading, {
      path: reading.file,
      line: Number(row),
      column: Number(column),
      severity: severityOf(severity),
      message,
      source: 'eslint',
      ...defined({ code }),
    });
  if (!/^(?:[A-Za-z]:)?[^\s:()][^:()]*\.\w+$/.test(line)) return false;
  reading.file = line;
  return true;
};

const rust: Form = (line, reading) => {
  const [, path, row, column] = /^\s*--> (.+?):(\d+):(\d+)$/.exec(line) ?? [];
  const { head } = reading;
  if (path !== undefined && head !== undefined) {
    reading.head = undefined;
    const { code, message } = head;
    return add(reading, {
      path,
      line: Number(row),
      column: Number(column),
      severity: severityOf(head.severity),
      message,
      ...defined({ code }),
    });
  }
  const [, severity, code, message = ''] = /^(error|warning)(?:\[(\w+)\])?: (.+)$/.exec(line) ?? [];
  if (severity === undefined) return false;
  reading.head = { severity, code, message };
  // What comes without a place, such as a sum, says nothing more.
  reading.rest.push(line.trim());
  return true;
};

const plain: Form = (line, reading) => {
  const [, path, row, column, said = ''] =
    /^(?:vet: )?((?:[A-Za-z]:[\\/])?[^\s:()][^:()]*):(\d+)(?::(\d+))?(?::\d+:\d+)?(?::\s+|\s+(?=[A-Z]{1,4}\d))(\S.*)$/.exec(
      line,
    ) ?? [];
  if (path === undefined) return false;
  return add(reading, { path, line: Number(row), column: Math.max(1, Number(column ?? 1)), ...saidOf(said) });
};

type Said = Pick<FoundProblem, 'severity' | 'message' | 'code' | 'source'>;

/** What stands behind the place. Who names no severity has found an error, unless a letter says otherwise. */
function saidOf(said: string): Said {
  const [, whole, kind, rule] = /^(.*\S)\s+\[(Error|Warning)\/(\S+)\]$/.exec(said) ?? [];
  if (whole !== undefined)
    return { severity: severityOf(kind ?? ''), message: whole, source: 'eslint', code: rule ?? '' };
  const [, word, inner, text = ''] =
    /^\[?(fatal error|error|warning|warn|note|info|information|hint|help|style|remark)\]?(?:\[([\w-]+)\])?:?\s+(.*)$/i.exec(
      said,
    ) ?? [];
  if (word !== undefined) {
    const { message, code } = withoutCode(text);
    return { severity: severityOf(word), message, ...defined({ code: inner ?? code }) };
  }
  const [, code, message = ''] = /^([A-Z]{1,4}\d{2,5}):?\s+(?:\[\*\] )?(.*)$/.exec(said) ?? [];
  if (code !== undefined) return { severity: /^[EF]/.test(code) ? 'error' : 'warning', message, code };
  return { severity: 'error', ...withoutCode(said) };
}

/** `… [attr-defined]`, as mypy and shellcheck name their rules. */
function withoutCode(text: string): { message: string; code?: string } {
  const [, message, code] = /^(.*\S)\s+\[([\w./@-]+)\]$/.exec(text) ?? [];
  return message === undefined || code === undefined ? { message: text } : { message, code };
}

const forms: readonly Form[] = [compiled, placeless, stylish, continued, rust, plain];
