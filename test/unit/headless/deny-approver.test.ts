import { defined } from '../../../src/shared/defined';
import assert from 'node:assert/strict';
import { type ApprovalRequest } from '../../../src/core/ports/approver';
import { createDenyApprover, denial } from '../../../src/headless/deny-approver';
import { type PermissionUpdate } from '../../../src/shared/permission';

function request(...updates: PermissionUpdate[][]): ApprovalRequest {
  return {
    id: '1',
    toolUseId: 'call',
    toolName: 'Bash',
    title: 'Bash npm test',
    view: { kind: 'json', text: '{}' },
    reason: 'No rule allows `npm test`',
    suggestions: updates.map((each) => ({ label: 'Always allow', updates: each })),
  };
}

const rule = (toolName: string, ruleContent?: string): PermissionUpdate => ({
  type: 'addRules',
  behavior: 'allow',
  rules: [{ toolName, ...defined({ ruleContent }) }],
  destination: 'session',
});

describe('the approver that denies', () => {
  it('names the option with the rule', () => {
    assert.match(
      denial(request([rule('Bash', 'npm test')])),
      /nobody can be asked\. No rule allows `npm test`\. .*--allowedTools "Bash\(npm test\)"\./,
    );
  });

  it('names every way', () => {
    const text = denial(
      request(
        [rule('Edit')],
        [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
        [{ type: 'addDirectories', directories: ['/b'], destination: 'session' }],
      ),
    );
    assert.match(text, /--allowedTools "Edit" or --permission-mode acceptEdits or --add-dir "\/b"\./);
  });

  it('quotes for the shell', () => {
    assert.match(denial(request([rule('Bash', 'echo "$HOME"')])), /--allowedTools "Bash\(echo \\"\\\$HOME\\"\)"/);
  });

  it('says where no rule helps', () => {
    assert.match(denial(request()), /No rule can allow it in advance/);
  });

  it('lets the turn go on', async () => {
    const decision = await createDenyApprover().ask(request(), new AbortController().signal, () => true);
    assert.ok(decision.behavior === 'deny' && !decision.interrupt);
  });
});
