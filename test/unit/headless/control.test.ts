import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Message } from '../../support/control-program';
import { withControlPrograms } from '../../support/control-suite';
import { type HeadlessPlace } from '../../support/headless-run';
import { gate, reply, text, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('headless control', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  const { program, result, there, lastSent } = withControlPrograms((...opened) => ([place, server] = opened));

  const asks = ['--permission-prompt-tool', 'stdio'];
  const touch = (name: string, id = 'toolu_touch') => toolUse('Bash', { command: `touch ${name}` }, id);
  const settings = async (value: unknown): Promise<void> => {
    await mkdir(path.join(place.home, '.claude'), { recursive: true });
    await writeFile(path.join(place.home, '.claude/settings.json'), JSON.stringify(value));
  };
  /** Plays one call up to its question. */
  const asked = async (...args: string[]) => {
    server.setScript([reply(touch('made.txt')), reply('Done.')]);
    const started = program(...asks, ...args);
    started.say('Go');
    return { started, question: await started.question() };
  };

  it('initialize tells commands and models, and the run goes on', async () => {
    server.setScript([reply('Hello.')]);
    const started = program();
    const { subtype, response } = await started.request({ subtype: 'initialize', hooks: {}, promptSuggestions: true });
    assert.equal(subtype, 'success');
    const { commands, models, output_style } = response as {
      commands: Message[];
      models: Message[];
      output_style: string;
    };
    assert.ok(commands.some(({ name }) => name === 'compact'));
    assert.ok(models.some(({ value }) => String(value).startsWith('claude-')));
    assert.equal(output_style, 'Default');
    started.say('Hi');
    assert.equal((await result(started))['result'], 'Hello.');
    const end = await started.close();
    assert.deepEqual([end.code, end.stderr], [0, '']);
  });

  it('initialize says on standard error what it does not take', async () => {
    const started = program();
    await started.request({ subtype: 'initialize', toolAliases: { a: 'b' }, agents: {} });
    const end = await started.close();
    assert.equal(end.code, 0);
    assert.match(end.stderr, /initialize contains options that this runner does not support: toolAliases\./);
  });

  it('an allow runs the call, and the question says what would run', async () => {
    const { started, question } = await asked();
    const { subtype, tool_name, input, tool_use_id, permission_suggestions } = question.request;
    assert.deepEqual(
      [subtype, tool_name, input, tool_use_id],
      ['can_use_tool', 'Bash', { command: 'touch made.txt' }, 'toolu_touch'],
    );
    assert.match(JSON.stringify(permission_suggestions), /touch made\.txt/);
    assert.equal(there('made.txt'), false);
    started.answer(question.request_id, { behavior: 'allow', updatedInput: input });
    assert.equal((await result(started))['subtype'], 'success');
    assert.equal(there('made.txt'), true);
    assert.equal((await started.close()).code, 0);
  });

  it('an allow with permissions is not asked again, and switches no questions off', async () => {
    const { started, question } = await asked();
    server.setScript([
      reply(touch('made.txt', 'toolu_again')),
      reply(touch('other.txt', 'toolu_other')),
      reply('Done.'),
    ]);
    const updatedPermissions = [
      ...(question.request['permission_suggestions'] as unknown[]),
      { type: 'setMode', mode: 'bypassPermissions', destination: 'session' },
    ];
    started.answer(question.request_id, { behavior: 'allow', updatedPermissions });
    const second = await started.question();
    assert.equal(second.request['tool_use_id'], 'toolu_other');
    started.answer(second.request_id, { behavior: 'deny', message: 'No.' });
    await result(started);
    assert.deepEqual([there('made.txt'), there('other.txt')], [true, false]);
  });

  it('a question names the path outside, and a permission is saved where it says', async () => {
    const outside = path.join(place.home, 'notes.txt');
    await writeFile(outside, 'kept\n');
    server.setScript([
      reply(toolUse('Read', { file_path: outside })),
      reply(touch('made.txt', 'toolu_inside')),
      reply('Done.'),
    ]);
    const started = program('--permission-prompt-tool', 'stdio');
    started.say('Read it');
    const read = await started.question();
    assert.equal(read.request['blocked_path'], outside);
    started.answer(read.request_id, { behavior: 'allow' });
    const touched = await started.question();
    assert.equal('blocked_path' in touched.request, false);
    const rules = [{ toolName: 'Bash', ruleContent: 'touch made.txt' }];
    started.answer(touched.request_id, {
      behavior: 'allow',
      updatedPermissions: [{ type: 'addRules', behavior: 'allow', rules, destination: 'localSettings' }],
    });
    await result(started);
    const saved = await readFile(path.join(place.workspace, '.claude/settings.local.json'), 'utf8');
    assert.deepEqual(JSON.parse(saved), { permissions: { allow: ['Bash(touch made.txt)'] } });
  });

  it('an allow with another input runs that one', async () => {
    const { started, question } = await asked();
    started.answer(question.request_id, { behavior: 'allow', updatedInput: { command: 'touch changed.txt' } });
    await result(started);
    assert.deepEqual([there('made.txt'), there('changed.txt')], [false, true]);
  });

  it('a question shows no credential, and its input sent back runs the call as it was', async () => {
    server.setScript([
      reply(toolUse('Bash', { command: 'printf key-of-the-test | wc -c > made.txt' }, 'toolu_key')),
      reply('Done.'),
    ]);
    const started = program(...asks);
    started.say('Go');
    const question = await started.question();
    assert.doesNotMatch(JSON.stringify({ ...question.request, permission_suggestions: [] }), /key-of-the-test/);
    started.answer(question.request_id, { behavior: 'allow', updatedInput: question.request['input'] });
    await result(started);
    assert.equal((await readFile(path.join(place.workspace, 'made.txt'), 'utf8')).trim(), '15');
  });

  it('another input is judged by deny rules and by the schema of the tool', async () => {
    await settings({ permissions: { deny: ['Bash(touch secret*)'] } });
    const { started, question } = await asked();
    started.answer(question.request_id, { behavior: 'allow', updatedInput: { command: 'touch secret.txt' } });
    await result(started);
    assert.match(lastSent(), /Permission denied: /);
    server.setScript([reply(touch('made.txt', 'toolu_second')), reply('Done.')]);
    started.say('Again');
    started.answer((await started.question()).request_id, { behavior: 'allow', updatedInput: { command: 7 } });
    await result(started);
    assert.match(lastSent(), /The answer to the permission question made the input invalid\.[\s\S]*command/);
    assert.doesNotMatch(lastSent(), /A hook changed/);
    assert.deepEqual([there('made.txt'), there('secret.txt')], [false, false]);
  });

  it('another input that a rule wants to be asked about is asked about, and not without end', async () => {
    await settings({ permissions: { ask: ['Bash(touch *)'] } });
    const { started, question } = await asked();
    started.answer(question.request_id, { behavior: 'allow', updatedInput: { command: 'touch changed.txt' } });
    const again = await started.question();
    assert.deepEqual(again.request['input'], { command: 'touch changed.txt' });
    started.answer(again.request_id, { behavior: 'allow', updatedInput: { command: 'touch changed.txt' } });
    await result(started);
    assert.equal(there('changed.txt'), true);
    server.setScript([reply(touch('made.txt', 'toolu_second')), reply('Done.')]);
    started.say('Again');
    for (let round = 0; round < 4; round++) {
      const { request_id } = await started.question();
      started.answer(request_id, { behavior: 'allow', updatedInput: { command: `touch round${round}.txt` } });
    }
    await result(started);
    assert.match(lastSent(), /input was changed each time/);
    assert.equal(there('round3.txt'), false);
  });

  it('deny rules and hooks come first: nobody is asked', async () => {
    await settings({ permissions: { deny: ['Bash(touch *)'] } });
    server.setScript([reply(touch('made.txt')), reply('Done.')]);
    const started = program(...asks);
    started.say('Go');
    await result(started);
    assert.match(lastSent(), /Permission denied: /);
    assert.doesNotMatch((await started.close()).stdout, /can_use_tool/);
    assert.equal(there('made.txt'), false);
  });

  it('a deny tells the model why, and the turn goes on', async () => {
    const { started, question } = await asked();
    started.answer(question.request_id, { behavior: 'deny', message: 'Use the build folder.' });
    assert.equal((await result(started))['result'], 'Done.');
    assert.match(lastSent(), /Use the build folder\./);
    assert.equal(there('made.txt'), false);
  });

  it('a deny with interrupt ends the turn, and the next message goes on', async () => {
    const { started, question } = await asked();
    const before = server.requests.length;
    started.answer(question.request_id, { behavior: 'deny', message: 'Stop.', interrupt: true });
    assert.equal((await result(started))['terminal_reason'], 'denied');
    assert.equal(server.requests.length, before);
    server.setScript([reply('Here.')]);
    started.say('And now?');
    assert.equal((await result(started))['result'], 'Here.');
    assert.equal(there('made.txt'), false);
    assert.equal((await started.close()).code, 0);
  });

  for (const [name, answer] of Object.entries<unknown>({
    'no behaviour': { allow: true },
    'another behaviour': { behavior: 'Allow' },
    'an input that is none': { behavior: 'allow', updatedInput: 'touch made.txt' },
    'permissions that are none': { behavior: 'allow', updatedPermissions: 'all' },
    'another call': { behavior: 'allow', toolUseID: 'toolu_other' },
    nothing: undefined,
  })) {
    it(`a malformed answer is a deny: ${name}`, async () => {
      const { started, question } = await asked();
      started.answer(question.request_id, answer);
      await result(started);
      assert.match(lastSent(), /Permission denied: .*The program that runs Deft/);
      assert.equal(there('made.txt'), false);
    });
  }

  it('an answer without its envelope is a deny, as is an error', async () => {
    const { started, question } = await asked();
    started.send({ type: 'control_response', response: { request_id: question.request_id, behavior: 'allow' } });
    await result(started);
    assert.match(lastSent(), /gave an unreadable answer/);
    server.setScript([reply(touch('made.txt', 'toolu_second')), reply('Done.')]);
    started.say('Again');
    const { request_id } = await started.question();
    started.send({ type: 'control_response', response: { subtype: 'error', request_id, error: 'the callback threw' } });
    await result(started);
    assert.match(lastSent(), /could not decide: the callback threw/);
    assert.equal(there('made.txt'), false);
  });

  it('standard input that closes while a question waits is a deny', async () => {
    const { started } = await asked();
    const end = await started.close();
    assert.match(lastSent(), /closed its input/);
    assert.equal(there('made.txt'), false);
    assert.equal(end.code, 0);
  });

  it('an interrupt while a question waits withdraws it', async () => {
    const { started, question } = await asked();
    const [{ subtype }, cancelled] = await Promise.all([
      started.request({ subtype: 'interrupt' }),
      started.next(({ type }) => type === 'control_cancel_request'),
    ]);
    assert.deepEqual([subtype, cancelled['request_id']], ['success', question.request_id]);
    await result(started);
    // It comes too late, and nothing happens.
    started.answer(question.request_id, { behavior: 'allow' });
    server.setScript([reply('Here.')]);
    started.say('And now?');
    assert.equal((await result(started))['result'], 'Here.');
    assert.equal(there('made.txt'), false);
    assert.equal((await started.close()).code, 0);
  });

  it('an interrupt in the middle of an answer ends the turn, and the next message goes on', async () => {
    const never = new Promise<void>(() => undefined);
    server.setScript([reply(text('The beginning', gate(never), ' and the end.')), reply('Here.')]);
    const started = program('--include-partial-messages');
    started.say('Go');
    await started.run.said('The beginning');
    assert.equal((await started.request({ subtype: 'interrupt' }))['subtype'], 'success');
    assert.equal((await result(started))['terminal_reason'], 'interrupted');
    started.say('And now?');
    assert.equal((await result(started))['result'], 'Here.');
    assert.equal((await started.close()).code, 0);
  });

  it('an interrupt between turns ends none', async () => {
    server.setScript([reply('Hello.')]);
    const started = program();
    assert.equal((await started.request({ subtype: 'interrupt' }))['subtype'], 'success');
    started.say('Hi');
    assert.equal((await result(started))['result'], 'Hello.');
  });

  it('set_permission_mode holds for what follows, and for the question that waits', async () => {
    server.setScript([
      reply(toolUse('Write', { file_path: path.join(place.workspace, 'new.txt'), content: 'text\n' })),
      reply('Done.'),
    ]);
    const started = program(...asks);
    started.say('Go');
    const question = await started.question();
    assert.equal(
      (await started.request({ subtype: 'set_permission_mode', mode: 'acceptEdits' }))['subtype'],
      'success',
    );
    assert.equal(
      (await started.next(({ type }) => type === 'control_cancel_request'))['request_id'],
      question.request_id,
    );
    await result(started);
    assert.equal(there('new.txt'), true);
  });

  it('set_permission_mode refuses what is no mode, what settings forbid, and what the run was not started in', async () => {
    await settings({ permissions: { disableAutoMode: 'disable' }, disableAutoMode: 'disable' });
    const started = program();
    assert.match(
      String((await started.request({ subtype: 'set_permission_mode', mode: 'yolo' }))['error']),
      /takes default, .*, not "yolo"/,
    );
    assert.match(
      String((await started.request({ subtype: 'set_permission_mode', mode: 'auto' }))['error']),
      /switched off by a settings file/,
    );
    assert.match(
      String((await started.request({ subtype: 'set_permission_mode', mode: 'bypassPermissions' }))['error']),
      /only if it was started with/,
    );
  });

  it('set_model asks another model from then on, among those that may be used', async () => {
    await settings({ availableModels: ['opus', 'haiku'] });
    server.setScript([reply('One.'), reply('Two.')]);
    const started = program();
    assert.equal((await started.request({ subtype: 'set_model', model: 'haiku' }))['subtype'], 'success');
    started.say('Hi');
    await result(started);
    assert.match(String(server.requests[0]?.body['model']), /haiku/);
    assert.match(
      String((await started.request({ subtype: 'set_model', model: 'sonnet' }))['error']),
      /may not be used here/,
    );
    await started.request({ subtype: 'set_model' });
    started.say('Hi again');
    await result(started);
    assert.match(String(server.requests[1]?.body['model']), /opus/);
  });

  it('an unknown request, and one that is none, get an error, and the run goes on', async () => {
    server.setScript([reply('Hello.')]);
    const started = program();
    const { subtype, error } = await started.request({ subtype: 'set_color' });
    assert.equal(subtype, 'error');
    assert.match(String(error), /does not support the control request "set_color"/);
    started.send({ type: 'control_request', request_id: 'bare' });
    const { response } = await started.next(({ type }) => type === 'control_response');
    assert.deepEqual([(response as Message)['subtype'], (response as Message)['request_id']], ['error', 'bare']);
    started.send({ type: 'keep_alive' });
    started.say('Hi');
    assert.equal((await result(started))['result'], 'Hello.');
    assert.equal((await started.close()).code, 0);
  });

  it('without --permission-prompt-tool nobody is asked', async () => {
    server.setScript([reply(touch('made.txt')), reply('Done.')]);
    const started = program();
    started.say('Go');
    await result(started);
    assert.match(lastSent(), /This run is headless, so nobody can be asked/);
    assert.equal(there('made.txt'), false);
  });

  it('in text mode a control line is refused', async () => {
    const line = '{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}\n';
    const end = await place.run([], { url: server.url, stdin: line });
    assert.deepEqual([end.code, end.stdout], [1, '']);
    assert.match(end.stderr, /control messages, which are read only with --input-format stream-json/);
    assert.match(
      (await place.run(asks, { url: server.url, stdin: line })).stderr,
      /--permission-prompt-tool stdio needs --input-format stream-json/,
    );
    assert.match(
      (await place.run(['--permission-prompt-tool', 'ask'], { url: server.url, stdin: line })).stderr,
      /takes stdio/,
    );
  });
});
