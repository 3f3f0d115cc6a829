// What V8 has compiled of the runner is kept from run to run, is never taken for another file's, and lies where only its user can write.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import Module from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { temporaryFolder } from '../../rig/cleanup';

const run = promisify(execFile);
/** Newer versions of Node keep compiled code themselves, in files of their own. */
const isNodes = 'enableCompileCache' in Module;

describe('the compiled code of a headless run', function () {
  this.timeout(60_000);
  const root = temporaryFolder('code-cache');
  const installation = path.join(root, 'dist');
  let home = '';

  before(async () => {
    await mkdir(installation);
    await build({
      entryPoints: ['src/headless/entry/code-cache.ts'],
      outfile: path.join(installation, 'code-cache.js'),
      ...{ bundle: true, platform: 'node', format: 'cjs' },
    });
    const files = {
      'start.js': "require('./code-cache.js').keepCompiledCode(__dirname); require('./main.js');",
      'main.js':
        "exports.early = 1; console.log(require('./part.js').said, require.resolve('./part.js') === __dirname + '/part.js');",
      'part.js': "exports.said = 'old' + require('./main.js').early;",
      'faulty.js': "require('./code-cache.js').keepCompiledCode(__dirname); require('./throws.js');",
      'throws.js': '  throw new Error("here");',
    };
    for (const [name, text] of Object.entries(files)) await write(name, text);
  });

  beforeEach(async () => {
    home = path.join(root, 'home');
    await rm(home, { recursive: true, force: true });
    await mkdir(home);
    await write('part.js', "exports.said = 'old' + require('./main.js').early;");
  });

  const write = (name: string, text: string): Promise<void> => writeFile(path.join(installation, name), text);
  const start = async (name = 'start.js', env: NodeJS.ProcessEnv = {}): Promise<string> => {
    const options = { env: { HOME: home, USERPROFILE: home, ...env } };
    return (await run(process.execPath, [path.join(installation, name)], options)).stdout.trim();
  };
  const folder = (): string => path.join(home, '.deft/code-cache');
  const kept = async (at = folder()): Promise<string[]> => readdir(at).catch(() => []);
  const onlyFile = async (): Promise<string> => {
    const [name, ...others] = await kept();
    assert.deepEqual(others, []);
    return path.join(folder(), name ?? assert.fail('nothing is kept'));
  };

  it('is kept where only its user can write, and written once', async () => {
    assert.equal(await start(), 'old1 true');
    assert.equal((await stat(folder())).mode & 0o777, 0o700);
    if (isNodes) return;
    const file = await onlyFile();
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const before = await stat(file);
    assert.equal(await start(), 'old1 true');
    assert.equal((await stat(file)).ino, before.ino, 'everything was in it');
  });

  it('is made anew for a file that changed, also to one of the same length', async () => {
    await start();
    await write('part.js', "exports.said = 'new' + require('./main.js').early;");
    assert.equal(await start(), 'new1 true');
    assert.equal(await start(), 'new1 true');
  });

  it('keeps what another run needed', async () => {
    await start();
    await start('faulty.js').catch(() => undefined);
    if (isNodes) return;
    const file = await onlyFile();
    const { ino } = await stat(file);
    assert.equal(await start(), 'old1 true');
    await start('faulty.js').catch(() => undefined);
    assert.equal((await stat(file)).ino, ino, 'both found theirs');
  });

  it('leaves line and column of an error as they are in the file', async () => {
    for (const time of ['first', 'second']) {
      const error = await start('faulty.js').then(
        () => assert.fail(),
        ({ stderr }: { stderr: string }) => stderr,
      );
      assert.match(error, /throws\.js:1:9\)/, time);
    }
  });

  it('is thrown away where it is damaged', async function () {
    if (isNodes) this.skip();
    await start();
    const file = await onlyFile();
    const whole = await readFile(file);
    const spoilt = Buffer.from(whole);
    spoilt.fill(0x41, whole.length - 400);
    for (const damaged of [Buffer.alloc(0), whole.subarray(0, 3), whole.subarray(0, whole.length / 2), spoilt]) {
      await writeFile(file, damaged);
      assert.equal(await start(), 'old1 true');
      assert.equal((await stat(file)).size, whole.length, 'it is whole again');
    }
  });

  it('is not used where others could write, nor where Node is told to keep none', async () => {
    await mkdir(folder(), { recursive: true });
    await chmod(folder(), 0o777);
    assert.equal(await start(), 'old1 true');
    assert.deepEqual(await kept(), []);
    await chmod(folder(), 0o700);
    assert.equal(await start('start.js', { NODE_DISABLE_COMPILE_CACHE: '1' }), 'old1 true');
    assert.deepEqual(await kept(), []);
    const named = path.join(root, 'named');
    assert.equal(await start('start.js', { NODE_COMPILE_CACHE: named }), 'old1 true');
    assert.deepEqual([(await kept()).length, (await kept(named)).length], [0, 1]);
  });

  it('does without where the home cannot hold it', async () => {
    await writeFile(path.join(home, '.deft'), 'a file');
    assert.equal(await start(), 'old1 true');
  });

  it('removes what versions long gone have left', async function () {
    if (isNodes) this.skip();
    await mkdir(folder(), { recursive: true, mode: 0o700 });
    for (let day = 1; day <= 6; day++) {
      const old = path.join(folder(), `v${day}.v8`);
      await writeFile(old, '');
      await utimes(old, new Date(2020, 1, day), new Date(2020, 1, day));
    }
    await start();
    const left = (await kept()).sort();
    assert.equal(left.length, 4);
    assert.deepEqual(left.slice(1), ['v4.v8', 'v5.v8', 'v6.v8'], left.join());
  });
});
