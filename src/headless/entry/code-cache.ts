// Keeps what V8 has compiled of Deft's own files from run to run: compiling them is a good part of what a run costs before its first request.
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import { constants, Script } from 'node:vm';
import { homeFolder } from '../../node/home-folder';

/** Of other versions of Deft and of Node: the oldest ones go when a new one is written. */
const KEPT_FILES = 4;
const ENDING = '.v8';
/** The length of the index, in bytes, stands before it. */
const HEAD = 4;

/**
 * Where the code of a source is in the file, with the hashes of both: V8 compares only the length of the source, and code that was damaged
 * on the disk would end the process.
 */
interface Kept {
  readonly source: string;
  readonly code: string;
  readonly start: number;
  readonly length: number;
}

/** By the path of the source in the installation. */
type Index = Record<string, Kept>;

/** The part of Node's loader that compiles a file: not in its types, and the same in all versions that lack `enableCompileCache`. */
interface Compiler {
  _compile(this: unknown, source: string, file: string, ...rest: readonly unknown[]): unknown;
}

/**
 * Before anything else is loaded. `installation` is the folder of the built runner; only what is in it is kept, in a folder of the user's
 * home that belongs to the user alone. Node's own variables name another folder, or switch it off. Never throws: without it a run only
 * starts later.
 */
export function keepCompiledCode(installation: string): void {
  try {
    const { NODE_COMPILE_CACHE: named, NODE_DISABLE_COMPILE_CACHE: off } = process.env;
    if (off) return;
    const folder = ownFolder(named || path.join(homeFolder(), '.deft', 'code-cache'));
    if (folder === undefined) return;
    // Since Node 22 it does the same itself; where the user has named a folder, it has begun already.
    if ('enableCompileCache' in Module) (Module.enableCompileCache as (folder: string) => unknown)(folder);
    else new CodeCache(folder, installation).use();
  } catch {
    // A home that cannot be written, or a loader of another shape.
  }
}

/** Makes the folder; undefined where somebody else could put code there. */
function ownFolder(folder: string): string | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  const others = process.platform === 'win32' ? 0 : stats.mode & 0o022;
  const isOwn = process.getuid === undefined || stats.uid === process.getuid();
  return stats.isDirectory() && isOwn && others === 0 ? folder : undefined;
}

class CodeCache {
  readonly #folder: string;
  readonly #file: string;
  readonly #installation: string;
  #index: Index = {};
  #code = Buffer.alloc(0);
  readonly #scripts = new Map<string, { readonly hash: string; readonly script: Script }>();
  /** Something was compiled that is not in the file. */
  #isIncomplete = false;

  constructor(folder: string, installation: string) {
    this.#folder = folder;
    this.#installation = installation + path.sep;
    const of = createHash('sha256').update(installation).digest('hex').slice(0, 16);
    this.#file = path.join(folder, `${process.version}-${process.arch}-${of}${ENDING}`);
  }

  use(): void {
    try {
      const bytes = readFileSync(this.#file);
      const end = HEAD + bytes.readUInt32LE(0);
      this.#index = JSON.parse(bytes.toString('utf8', HEAD, end)) as Index;
      this.#code = bytes.subarray(end);
    } catch {
      // The first run, or one that broke off: it is written anew.
    }
    const compiler = Module.prototype as unknown as Compiler;
    const compile = compiler._compile;
    const run = (source: string, file: string): ((...names: unknown[]) => unknown) | undefined =>
      file.startsWith(this.#installation) ? this.#run(source, file) : undefined;
    compiler._compile = function (this: NodeModule, source, file, ...rest) {
      const body = run(source, file);
      if (body === undefined) return compile.call(this, source, file, ...rest);
      const require = Object.assign((id: string): unknown => this.require(id), Module.createRequire(file));
      return body.call(this.exports, this.exports, require, this, file, path.dirname(file));
    };
    process.once('exit', () => this.#write());
  }

  #run(source: string, file: string): (...names: unknown[]) => unknown {
    const hash = hashOf(source);
    const kept = this.#index[path.relative(this.#installation, file)];
    const cachedData = kept?.source === hash ? this.#codeOf(kept) : undefined;
    const [head = '', tail = ''] = (Module as unknown as { readonly wrapper: readonly string[] }).wrapper;
    const script = new Script(head + source + tail, {
      filename: file,
      // Columns in error messages are those of the file.
      columnOffset: -head.length,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData === undefined ? {} : { cachedData }),
    });
    if (cachedData === undefined || script.cachedDataRejected === true) this.#isIncomplete = true;
    this.#scripts.set(file, { hash, script });
    return script.runInThisContext() as (...names: unknown[]) => unknown;
  }

  #codeOf({ start, length, code }: Kept): Buffer | undefined {
    const bytes = this.#code.subarray(start, start + length);
    return hashOf(bytes) === code ? bytes : undefined;
  }

  /** What this run did not need stays as it was. Other runs see the old file or the new one, never half of one. */
  #write(): void {
    if (!this.#isIncomplete) return;
    try {
      const index: Index = {};
      const parts: Buffer[] = [];
      let start = 0;
      const add = (name: string, hash: string, code: Buffer): void => {
        index[name] = { source: hash, code: hashOf(code), start, length: code.length };
        parts.push(code);
        start += code.length;
      };
      for (const [file, { hash, script }] of this.#scripts)
        add(path.relative(this.#installation, file), hash, script.createCachedData());
      for (const [name, kept] of Object.entries(this.#index)) {
        const code = name in index ? undefined : this.#codeOf(kept);
        if (code !== undefined) add(name, kept.source, code);
      }
      const head = Buffer.from(JSON.stringify(index));
      const size = Buffer.alloc(HEAD);
      size.writeUInt32LE(head.length);
      const unfinished = `${this.#file}.${process.pid}.tmp`;
      writeFileSync(unfinished, Buffer.concat([size, head, ...parts]), { mode: 0o600, flag: 'wx' });
      renameSync(unfinished, this.#file);
      this.#removeOld();
    } catch {
      // No room, or a folder that went: the next run tries again.
    }
  }

  #removeOld(): void {
    const files = readdirSync(this.#folder)
      .map((name) => path.join(this.#folder, name))
      .filter((file) => file.endsWith(ENDING) || file.endsWith('.tmp'))
      .map((file) => ({ file, at: statSync(file).mtimeMs }))
      .sort((one, other) => other.at - one.at);
    for (const { file } of files.slice(KEPT_FILES)) rmSync(file, { force: true });
  }
}

function hashOf(bytes: string | Buffer): string {
  return createHash('sha1').update(bytes).digest('base64');
}
