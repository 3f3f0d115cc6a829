// Memory files in a real window: permission for files outside, the setting for AGENTS.md, and notes that are seen before they are written.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { withImported } from '../../src/core/memory/memory-entry';
import { createNodeFileSystem } from '../../src/node/files/node-file-system';
import { type Chat } from '../../src/vscode/chat/conversation/chat';
import { addNote, notePlaces } from '../../src/vscode/memory/memory-commands';
import { createWindowMemory } from '../../src/vscode/memory/window-memory';
import { createAgreements } from '../../src/vscode/session/agreements';

describe('memory files of the window', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('the window has no folder');
  const outside = mkdtempSync(path.join(tmpdir(), 'deft-memory-'));
  const team = path.join(outside, 'team.md');
  const claude = path.join(root, 'CLAUDE.md');
  const local = path.join(root, 'CLAUDE.local.md');
  const agents = path.join(root, 'AGENTS.md');
  after(() => [outside, claude, local, agents].forEach((file) => rmSync(file, { recursive: true, force: true })));

  const state = () => {
    const values = new Map<string, unknown>();
    return {
      get: <Value>(key: string, fallback?: Value) => (values.get(key) ?? fallback) as Value,
      update: async (key: string, value: unknown) => void values.set(key, value),
    };
  };
  const open = (answers: ('allow' | 'never' | 'later')[], memento = state()) => {
    const asked: string[] = [];
    let settled: Promise<unknown> = Promise.resolve();
    const agreements = createAgreements(memento);
    const memory = createWindowMemory({
      files: createNodeFileSystem(),
      rules: { values: () => ({}), onDidChange: () => ({ dispose: () => undefined }) },
      agreements: {
        ...agreements,
        answer: (grants, agreed) => (settled = agreements.answer(grants, agreed)) as Promise<void>,
      },
      ask: async ({ text }) => {
        asked.push(text);
        return answers.shift() ?? 'later';
      },
    });
    const texts = async (): Promise<string[]> => {
      const found = (await memory.look(() => false)).atStart
        .flatMap(withImported)
        .flatMap((entry) => (entry.text === '' ? [] : [entry.text]));
      await new Promise(setImmediate);
      await settled;
      return found;
    };
    return { texts, asked, memento };
  };

  it('asks once before a file outside is read, and remembers the answer', async () => {
    writeFileSync(team, 'team words');
    writeFileSync(claude, `project words @${team}`);
    const first = open(['later', 'allow']);
    assert.equal((await first.texts()).includes('team words'), false);
    assert.equal((await first.texts()).includes('team words'), false);
    assert.deepEqual(first.asked, [`read ${team} as instructions`]);
    const second = open(['allow'], first.memento);
    await second.texts();
    assert.equal((await second.texts()).includes('team words'), true);
    assert.equal((await open([], first.memento).texts()).includes('team words'), true);
    const never = open(['never']);
    await never.texts();
    const again = open([], never.memento);
    await again.texts();
    assert.deepEqual(again.asked, []);
  });

  it('reads AGENTS.md as the setting says', async () => {
    writeFileSync(claude, 'project words');
    writeFileSync(agents, 'agent words');
    const { texts } = open([]);
    const has = async (): Promise<boolean> => (await texts()).includes('agent words');
    const settings = vscode.workspace.getConfiguration('deft');
    try {
      assert.equal(await has(), false);
      await settings.update('memory.agentsMd', 'both', vscode.ConfigurationTarget.Global);
      assert.equal(await has(), true);
      rmSync(claude);
      await settings.update('memory.agentsMd', 'never', vscode.ConfigurationTarget.Global);
      assert.equal(await has(), false);
    } finally {
      await settings.update('memory.agentsMd', undefined, vscode.ConfigurationTarget.Global);
    }
    assert.equal(await has(), true);
  });

  it('writes a note only where the user saw and confirmed the file', async () => {
    writeFileSync(claude, 'Use tabs.');
    const notices: string[] = [];
    const chat = {
      session: async () => ({ ports: { files: createNodeFileSystem() } }),
      notice: (_level: string, title: string) => void notices.push(title),
    } as unknown as Chat;
    const place = (label: string) => notePlaces().find((one) => one.label === label);
    const seen: string[] = [];
    const answer = (label: string | undefined, confirmed: boolean) =>
      addNote(chat, 'run npm test', {
        pick: async () => (label === undefined ? undefined : place(label)),
        confirm: async (_path, before, after) => (seen.push(`${before}|${after}`), confirmed),
      });
    assert.equal(await answer(undefined, true), 'back');
    assert.equal(await answer('Send as a message', true), 'send');
    assert.deepEqual(seen, []);
    assert.equal(await answer('Project', false), 'back');
    assert.equal(readFileSync(claude, 'utf8'), 'Use tabs.');
    assert.equal(await answer('Project', true), 'written');
    assert.equal(readFileSync(claude, 'utf8'), 'Use tabs.\n- run npm test\n');
    assert.equal(seen.at(-1), 'Use tabs.|Use tabs.\n- run npm test\n');
    assert.equal(existsSync(local), false);
    assert.equal(await answer('Project, for me', true), 'written');
    assert.equal(readFileSync(local, 'utf8'), '- run npm test\n');
    assert.deepEqual(notices, ['Noted in CLAUDE.md.', 'Noted in CLAUDE.local.md.']);
  });
});
