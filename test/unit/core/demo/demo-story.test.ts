import assert from 'node:assert/strict';
import { createDemoModel, demoModelId, demoModelName } from '../../../../src/core/model/demo/demo-model';
import { readHistory } from '../../../../src/core/model/demo/demo-history';
import { demoReply, type DemoReply } from '../../../../src/core/model/demo/demo-story';
import { createReplyAssembler } from '../../../../src/core/model/reply-assembler';
import {
  type AssistantBlock,
  type Message,
  type StreamEvent,
  type ToolResultBlock,
} from '../../../../src/core/wire/wire';

const reminder = '<system-reminder>\nWorking directory: /shop\nPlatform: linux; shell: bash\n</system-reminder>';
const found = [
  'src/cart.js',
  '9:  if (today > coupon.lastDay) return;',
  '',
  'src/coupon.js',
  '3:/** A coupon is `{ code, percent, lastDay }`; it can be used up to and including its last day. */',
  '5:  return daysBetween(today, coupon.lastDay) <= 0;',
].join('\n');

/** Plays the script against results by tool name; a list gives one result after the other. */
function play(
  results: Record<string, string | { failed: string }>,
  messages: Message[] = opening('Fix the coupons'),
): { replies: DemoReply[]; messages: Message[] } {
  const replies: DemoReply[] = [];
  for (let turn = 0; turn < 10; turn++) {
    const reply = demoReply(readHistory(messages));
    replies.push(reply);
    const calls = reply.calls.map((call, index) => ({
      type: 'tool_use' as const,
      id: `call-${messages.length}-${index}`,
      ...call,
    }));
    messages = [...messages, { role: 'assistant', content: [{ type: 'text', text: reply.text }, ...calls] }];
    if (calls.length === 0) return { replies, messages };
    const content = calls.map(({ id, name }): ToolResultBlock => {
      const result = results[name] ?? '';
      return typeof result === 'string'
        ? { type: 'tool_result', tool_use_id: id, content: result }
        : { type: 'tool_result', tool_use_id: id, content: result.failed, is_error: true };
    });
    messages = [...messages, { role: 'user', content }];
    // A rejection without a reason ends the turn.
    if (results[calls[0]?.name ?? ''] === rejection) return { replies, messages };
  }
  throw new Error('The script does not end.');
}

const rejection = { failed: 'The user rejected this call. Nothing was done. Wait for their next message.' };
const passing = 'TAP version 13\n# tests 6\n# pass 6\n# fail 0';

function opening(prompt: string): Message[] {
  return [
    {
      role: 'user',
      content: [
        { type: 'text', text: reminder },
        { type: 'text', text: prompt },
      ],
    },
  ];
}

function say(messages: Message[], text: string): Message[] {
  const last = messages.at(-1);
  if (last?.role === 'user')
    return [...messages.slice(0, -1), { role: 'user', content: [...last.content, { type: 'text', text }] }];
  return [...messages, { role: 'user', content: [{ type: 'text', text }] }];
}

const toolsOf = (replies: DemoReply[]): string[] => replies.flatMap((reply) => reply.calls.map(({ name }) => name));

describe('the demo script', () => {
  it('searches, reads, edits, tests and sums up', () => {
    const { replies } = play({
      Grep: found,
      Read: '1\timport …',
      Edit: 'The file /shop/src/coupon.js has been updated. …',
      Bash: passing,
    });
    assert.deepEqual(toolsOf(replies), ['Grep', 'Read', 'Read', 'Edit', 'Bash']);
    assert.match(replies[0]?.text ?? '', /\*\*Deft demo\*\*.*script, not a language model/s);
    assert.equal(replies[1]?.calls[0]?.input['file_path'], '/shop/src/coupon.js');
    assert.match(replies.at(-1)?.text ?? '', /All 6 tests pass/);
  });

  it('gives the same reply for the same conversation', () => {
    assert.deepEqual(demoReply(readHistory(opening('a'))), demoReply(readHistory(opening('a'))));
  });

  it('names what the user changed in the edit', () => {
    const edit =
      "The file /shop/src/coupon.js has been updated.  The user modified your proposed changes before accepting them. Here's the result\n5\tx\n\nWhat the user changed in your proposal:\n@@ -5,1 +5,1 @@\n-  return daysBetween(today, coupon.lastDay) < 0;\n+  return daysBetween(coupon.lastDay, today) > 0;\n\nNote: formatted";
    const { replies } = play({ Grep: found, Read: 'text', Edit: edit, Bash: passing });
    assert.match(replies.at(-2)?.text ?? '', /You changed my edit/);
    const end = replies.at(-1)?.text ?? '';
    assert.match(end, /All 6 tests pass, with your version/);
    assert.match(end, /\+ {2}return daysBetween\(coupon\.lastDay, today\) > 0;/);
    assert.doesNotMatch(end, /Note: formatted/);
  });

  it('tells that the tests fail on the version of the user', () => {
    const edit =
      'updated.  The user modified your proposed changes before accepting them. …\n\nWhat the user changed in your proposal:\n-a\n+b';
    const { replies } = play({
      Grep: found,
      Read: 'text',
      Edit: edit,
      Bash: { failed: 'Exit code 1\n# pass 4\n# fail 2' },
    });
    assert.match(replies.at(-1)?.text ?? '', /2 of 6 tests still fail\. .*yours is what was tested/s);
  });

  it('claims nothing where the tests print no summary', () => {
    const { replies } = play({
      Grep: found,
      Read: 'text',
      Edit: 'updated',
      Bash: { failed: 'Exit code 127\nnode: command not found' },
    });
    assert.match(
      replies.at(-1)?.text ?? '',
      /cannot tell whether the tests pass.*“Exit code 127: node: command not found”/s,
    );
    assert.doesNotMatch(replies.at(-1)?.text ?? '', /All . tests/);
  });

  it('takes a rejection with a reason for an answer and quotes it', () => {
    const { replies } = play({
      Grep: found,
      Read: 'text',
      Edit: { failed: 'The user rejected this call; nothing was done. They say: use isAfter instead' },
    });
    assert.deepEqual(toolsOf(replies), ['Grep', 'Read', 'Read', 'Edit']);
    assert.match(replies.at(-1)?.text ?? '', /You rejected the edit.*“use isAfter instead”/s);
  });

  it('knows of a bare rejection when the user writes again', () => {
    const { messages } = play({ Grep: found, Read: 'text', Edit: rejection });
    const reply = demoReply(readHistory(say(messages, 'Why?')));
    assert.deepEqual(reply.calls, []);
    assert.match(reply.text, /You rejected the edit/);
  });

  it('says that permission was denied and by what', () => {
    const { replies } = play({ Grep: found, Read: 'text', Edit: { failed: 'Permission denied: a rule denies Edit.' } });
    assert.match(replies.at(-1)?.text ?? '', /was not made.*“Permission denied: a rule denies Edit\.”/s);
  });

  it('only runs the tests where the bug is gone already', () => {
    const { replies } = play({ Grep: found.replace('<= 0', '< 0'), Read: 'text', Bash: passing });
    assert.deepEqual(toolsOf(replies), ['Grep', 'Read', 'Read', 'Bash']);
  });

  it('looks around and touches nothing in any other folder', () => {
    for (const grep of ['No matches found', 'lib/coupon.js\n5:  return daysBetween(today, coupon.lastDay) <= 0;']) {
      const { replies } = play({ Grep: grep, Glob: 'README.md\nmain.py' });
      assert.deepEqual(toolsOf(replies), ['Grep', 'Glob']);
      assert.match(replies.at(-1)?.text ?? '', /not the sample workspace.*README\.md, main\.py.*changed nothing/s);
    }
  });

  it('plays a stopped scene again and says that it cannot take up what was written', () => {
    const { messages } = play({ Grep: found, Read: 'text', Edit: rejection });
    const stopped = messages.map((message) =>
      message.role === 'user'
        ? {
            ...message,
            content: message.content.map((block) =>
              block.type === 'tool_result' && block.is_error === true
                ? { ...block, content: 'This call was interrupted by the user.' }
                : block,
            ),
          }
        : message,
    );
    const reply = demoReply(readHistory(say(stopped, 'Go on')));
    assert.equal(reply.calls[0]?.name, 'Edit');
    assert.match(reply.text, /^I am a script/);
  });

  it('answers any further question honestly', () => {
    const { messages } = play({ Grep: found, Read: 'text', Edit: 'updated', Bash: passing });
    const reply = demoReply(readHistory(say(messages, 'What is the capital of France?')));
    assert.deepEqual(reply.calls, []);
    assert.match(reply.text, /scripted demo/);
  });

  it('ends with a sentence where a tool does not work', () => {
    assert.match(
      play({ Grep: { failed: 'ripgrep was not found. Install it' } }).replies.at(-1)?.text ?? '',
      /search did not work: “ripgrep was not found/,
    );
  });
});

describe('the demo model', () => {
  const request = { model: demoModelId, max_tokens: 1, system: [], tools: [], messages: opening('Hi') };
  const signal = new AbortController().signal;

  async function collect(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
    const all: StreamEvent[] = [];
    for await (const event of events) all.push(event);
    return all;
  }

  it('streams the reply as the API would', async () => {
    const reply = createReplyAssembler();
    const blocks: AssistantBlock[] = [];
    for (const event of await collect(createDemoModel().stream(request, signal))) {
      for (const step of reply.accept(event)) if (step.type === 'block_ended') blocks.push(step.block);
    }
    assert.ok(reply.complete);
    assert.equal(reply.stopReason, 'tool_use');
    assert.deepEqual(
      blocks.map((block) => block.type),
      ['text', 'tool_use'],
    );
    assert.equal((blocks[0] as { text: string }).text, demoReply(readHistory(request.messages)).text);
  });

  it('gives ids that differ between replies', async () => {
    const ids = async (messages: Message[]) =>
      JSON.stringify(
        (await collect(createDemoModel().stream({ ...request, messages }, signal))).map((event) =>
          event.type === 'message_start' ? event.message.id : '',
        ),
      );
    assert.notEqual(await ids(opening('a')), await ids(opening('b')));
  });

  it('pauses by the clock and stops when aborted', async () => {
    const controller = new AbortController();
    let sleeps = 0;
    const clock = {
      sleep: async () => {
        if (++sleeps === 5) controller.abort(new DOMException('Stopped', 'AbortError'));
      },
    };
    await assert.rejects(collect(createDemoModel(clock).stream(request, controller.signal)), { name: 'AbortError' });
    assert.equal(sleeps, 5);
  });

  it('is named as what it is', async () => {
    assert.equal(createDemoModel().provider, 'demo');
    assert.match(demoModelName, /scripted/);
    assert.deepEqual(
      (await createDemoModel().listModels(signal)).map(({ id }) => id),
      ['deft-demo'],
    );
  });
});
