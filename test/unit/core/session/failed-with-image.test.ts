// A call that fails and shows an image: the API takes text alone in a failure, so nothing else may reach the log or a request.
import assert from 'node:assert/strict';
import { refusesFile } from '../../../../src/core/loop/refused-file';
import { ModelError } from '../../../../src/core/text/errors';
import { capabilitiesOf } from '../../../../src/core/model/capabilities';
import { fitMessages } from '../../../../src/core/model/fit-messages';
import { type Message, type ToolResultContent } from '../../../../src/core/wire/wire';
import { mcpResultBlock } from '../../../../src/core/tools/mcp/mcp-output';
import { fakeTool } from '../../../support/fake-tools';
import { reply, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

const image: ToolResultContent = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const document: ToolResultContent = {
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
};
const said: ToolResultContent = { type: 'text', text: 'The page did not load.' };
const leftOut = (type: string) => ({ type: 'text', text: `[${type} omitted: a failure is reported as text only]` });

describe('a failure that shows an image', () => {
  it('goes on as text, in the log and in every request', async () => {
    const tool = fakeTool('Act', {
      mapToolResultToToolResultBlockParam: (_output, id) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: [said, image],
        is_error: true,
      }),
    });
    const model = createScriptedModel([reply(toolUse('Act', {})), reply('I see.'), reply('Again.')]);
    const harness = createHarness({ model, tools: [tool] });
    await harness.run('Go');
    await harness.run('And now?');
    assert.deepEqual(model.violations, []);
    assert.equal(model.requests.length, 3);
    const [sent] = model.requests[1]?.messages.at(-1)?.content ?? [];
    assert.deepEqual(sent?.type === 'tool_result' && sent.content, [said, leftOut('image/png')]);
    assert.ok(!harness.lines.some((line) => line.includes('"AAAA"')), 'nothing of it in the log');
  });

  it('of an older log is fitted before it is sent; a success stays as it is', () => {
    const can = capabilitiesOf('anthropic', 'claude-opus-5');
    const result = (is_error: boolean, content: ToolResultContent[]): Message => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't', content, is_error }],
    });
    const fine = result(false, [said, image, document]);
    const [failed, kept] = fitMessages(
      [result(true, [image, said, document, { type: 'tool_reference', tool_name: 'Late' }]), fine],
      can,
    );
    assert.deepEqual(
      failed,
      result(true, [
        leftOut('image/png') as ToolResultContent,
        said,
        leftOut('application/pdf') as ToolResultContent,
        { type: 'text', text: '[tool Late]' },
      ]),
    );
    assert.equal(kept, fine);
  });

  it('of a server names the file that holds it', () => {
    const part = {
      type: 'image' as const,
      mediaType: 'image/png' as const,
      data: 'AAAA',
      path: '/results/t-1.png',
      bytes: 3,
    };
    const output = (isError: boolean) =>
      mcpResultBlock({ parts: [{ type: 'text', text: 'No.' }, part], isError, isJson: false }, 't').content;
    assert.deepEqual(output(true), [
      { type: 'text', text: 'No.' },
      { type: 'text', text: '[image/png, 3B: saved to /results/t-1.png]' },
    ]);
    assert.deepEqual(output(false), [
      { type: 'text', text: 'No.' },
      image,
      { type: 'text', text: '[image/png, 3B: saved to /results/t-1.png]' },
    ]);
  });

  it('is known by the sentence of the refusal', () => {
    const error = new ModelError(
      'messages.2.content.0.tool_result: all content must be type `text` if `is_error` is true',
      { kind: 'invalid_request' },
      { retryable: false },
    );
    const request = {
      model: 'm',
      max_tokens: 1,
      system: [],
      messages: [{ role: 'user', content: [image] }],
    } as unknown as Parameters<typeof refusesFile>[1];
    assert.equal(refusesFile(error, request), true);
  });
});
