// Calls that continue in the background share the session's terminal without taking anything away from it.
import assert from 'node:assert/strict';
import { SessionCalls } from '../../../../src/core/calls/background-calls';
import { type ShellNames } from '../../../../src/core/permissions/bash/shell-names';
import { unusedPorts } from '../../../support/unused-ports';

describe('the terminal of background calls', () => {
  const names: ShellNames = new Map([['ll', { kind: 'alias', text: 'ls -la' }]]);
  const open = (shellNames?: () => Promise<ShellNames>) => {
    const { terminal, clock, files, log } = unusedPorts(shellNames === undefined ? {} : { terminal: { shellNames } });
    const uuid = (): string => 'id';
    return new SessionCalls({
      ...{ terminal, clock, uuid, files, log },
      directory: '/results',
      afterMs: 0,
      ended: async () => undefined,
    }).terminal;
  };

  it("knows the user's aliases, by which commands are judged", async () => {
    assert.equal(await open(async () => names).shellNames?.(), names);
  });

  it('has none where the host has none', () => assert.equal(open().shellNames, undefined));
});
