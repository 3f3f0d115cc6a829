// The rig installs packages exactly when the lock file asks for something that is not there.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureDependencies, missingPackages } from '../../rig/dependencies.mjs';

const LOCK = {
  '': { version: '1.0.0' },
  'node_modules/a': { version: '1.0.0' },
  'node_modules/b': { version: '2.0.0' },
  'node_modules/only-mac': { version: '1.0.0', os: ['darwin'], optional: true },
};

describe('installed packages', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'deft-dependencies-'));
    writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages: LOCK }));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function install(packages: Record<string, { version: string }>): void {
    mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
    writeFileSync(path.join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
  }

  it('are all missing before the first installation', () => {
    assert.deepEqual(missingPackages(folder), ['node_modules/a', 'node_modules/b']);
  });

  it('are missing in another version', () => {
    install({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.9.0' } });
    assert.deepEqual(missingPackages(folder), ['node_modules/b']);
  });

  it('are complete without the packages of other platforms, and then nothing is run', () => {
    install({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0' } });
    assert.deepEqual(missingPackages(folder), []);
    assert.equal(ensureDependencies(folder, 'nothing'), false);
  });

  it('of a folder without a lock file are an error that names it', () => {
    rmSync(path.join(folder, 'package-lock.json'));
    assert.throws(() => missingPackages(folder), new RegExp('package-lock\\.json is missing'));
  });
});
