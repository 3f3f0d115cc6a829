// A request's messages as VS Code's models take them: a table of every block, and what holds of any history.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type AssistantBlock, type Message, type ModelRequest, type UserBlock } from '../../../../src/core/wire/wire';
import { type ChatMessage, chatMessages, chatTools, lengthOf } from '../../../../src/vscode/model/chat-messages';

const user = (...content: UserBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: AssistantBlock[]): Message => ({ role: 'assistant', content });
const said = (text: string): { type: 'text'; text: string } => ({ type: 'text', text });
const call = (id: string, input: unknown = {}): AssistantBlock => ({ type: 'tool_use', id, name: 'Read', input });
const result = (
  id: string,
  content: Extract<UserBlock, { type: 'tool_result' }>['content'] = 'done',
  isError?: boolean,
): UserBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...defined({ is_error: isError }),
});
const image: UserBlock = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const document: UserBlock = {
  type: 'document',
  title: 'plan.pdf',
  source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
};
const missing = {
  type: 'result',
  id: 'a',
  content: [said('There is no result: the call was interrupted.')],
  isError: true,
};
const noPicture = said('[An image was here. This model does not accept images.]');

const table: [what: string, messages: Message[], expected: unknown[]][] = [
  ['text', [user(said('Hi'))], [{ role: 'user', parts: [said('Hi')] }]],
  ['empty text', [user(said('Hi'), said(' \n'))], [{ role: 'user', parts: [said('Hi')] }]],
  ['a picture', [user(image)], [{ role: 'user', parts: [{ type: 'image', mediaType: 'image/png', base64: 'AAAA' }] }]],
  [
    'a document',
    [user(document)],
    [{ role: 'user', parts: [said('[A PDF document was here: plan.pdf. This model does not accept documents.]')] }],
  ],
  [
    'a call and its result, with text behind it',
    [user(said('Hi')), assistant(said('I look.'), call('a', { x: 1 })), user(said('Also this.'), result('a'))],
    [
      { role: 'user', parts: [said('Hi')] },
      { role: 'assistant', parts: [said('I look.'), { type: 'call', id: 'a', name: 'Read', input: { x: 1 } }] },
      {
        role: 'user',
        parts: [{ type: 'result', id: 'a', content: [said('done')], isError: false }, said('Also this.')],
      },
    ],
  ],
  [
    'a failed result with a picture and a tool that was found',
    [
      user(said('Hi')),
      assistant(call('a')),
      user(
        result(
          'a',
          [
            said('No.'),
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'BBBB' } },
            { type: 'tool_reference', tool_name: 'Other' },
          ],
          true,
        ),
      ),
    ],
    [
      { role: 'user', parts: [said('Hi')] },
      { role: 'assistant', parts: [{ type: 'call', id: 'a', name: 'Read', input: {} }] },
      {
        role: 'user',
        parts: [
          {
            type: 'result',
            id: 'a',
            content: [
              said('No.'),
              { type: 'image', mediaType: 'image/png', base64: 'BBBB' },
              said('The tool Other can be called from now on.'),
            ],
            isError: true,
          },
        ],
      },
    ],
  ],
  [
    'an empty result, and input that is no object',
    [user(said('Hi')), assistant(call('a', 'text')), user(result('a', ''))],
    [
      { role: 'user', parts: [said('Hi')] },
      { role: 'assistant', parts: [{ type: 'call', id: 'a', name: 'Read', input: {} }] },
      { role: 'user', parts: [{ type: 'result', id: 'a', content: [said('(nothing)')], isError: false }] },
    ],
  ],
  [
    'thinking and what servers did, which are left out',
    [
      user(said('Hi')),
      assistant(
        { type: 'thinking', thinking: 'Hm', signature: 's' },
        { type: 'redacted_thinking', data: 'd' },
        { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: 's1', content: [] },
        said('Found.'),
      ),
      user(said('Good.')),
    ],
    [
      { role: 'user', parts: [said('Hi')] },
      { role: 'assistant', parts: [said('Found.')] },
      { role: 'user', parts: [said('Good.')] },
    ],
  ],
  [
    'a reply of thinking alone, whose neighbours become one',
    [user(said('Hi')), assistant({ type: 'thinking', thinking: 'Hm', signature: 's' }), user(said('Well?'))],
    [{ role: 'user', parts: [said('Hi'), said('Well?')] }],
  ],
  [
    'a call without a result, at the end',
    [user(said('Hi')), assistant(call('a'))],
    [
      { role: 'user', parts: [said('Hi')] },
      { role: 'assistant', parts: [{ type: 'call', id: 'a', name: 'Read', input: {} }] },
      { role: 'user', parts: [missing] },
    ],
  ],
  [
    'a call without a result, before another reply',
    [user(said('Hi')), assistant(call('a')), assistant(said('On.')), user(said('Yes.'))],
    [
      { role: 'user', parts: [said('Hi')] },
      { role: 'assistant', parts: [{ type: 'call', id: 'a', name: 'Read', input: {} }] },
      { role: 'user', parts: [missing] },
      { role: 'assistant', parts: [said('On.')] },
      { role: 'user', parts: [said('Yes.')] },
    ],
  ],
  [
    'a result of no call',
    [user(said('Hi'), result('z', 'lost'))],
    [{ role: 'user', parts: [said('Hi'), said('lost')] }],
  ],
  [
    'two calls of one id',
    [user(said('Hi')), assistant(call('a')), user(result('a', 'one')), assistant(call('a')), user(result('a', 'two'))],
    [
      { role: 'user', parts: [said('Hi')] },
      { role: 'assistant', parts: [{ type: 'call', id: 'a', name: 'Read', input: {} }] },
      { role: 'user', parts: [{ type: 'result', id: 'a', content: [said('one')], isError: false }] },
      { role: 'assistant', parts: [{ type: 'call', id: 'a_2', name: 'Read', input: {} }] },
      { role: 'user', parts: [{ type: 'result', id: 'a_2', content: [said('two')], isError: false }] },
    ],
  ],
  [
    'results in another order than their calls',
    [user(said('Hi')), assistant(call('a'), call('b')), user(result('b', 'B'), result('a', 'A'))],
    [
      { role: 'user', parts: [said('Hi')] },
      {
        role: 'assistant',
        parts: [
          { type: 'call', id: 'a', name: 'Read', input: {} },
          { type: 'call', id: 'b', name: 'Read', input: {} },
        ],
      },
      {
        role: 'user',
        parts: [
          { type: 'result', id: 'a', content: [said('A')], isError: false },
          { type: 'result', id: 'b', content: [said('B')], isError: false },
        ],
      },
    ],
  ],
  [
    'a history that begins and ends with a reply',
    [assistant(said('Hello.'))],
    [
      { role: 'user', parts: [said('(The conversation begins with the reply that follows.)')] },
      { role: 'assistant', parts: [said('Hello.')] },
      { role: 'user', parts: [said('Go on.')] },
    ],
  ],
  ['nothing at all', [], [{ role: 'user', parts: [said('Go on.')] }]],
];

describe('messages for VS Code’s models', () => {
  for (const [what, messages, expected] of table) {
    it(`carry ${what}`, () => assert.deepEqual(chatMessages({ system: [], messages }, true), expected));
  }

  it('say where a picture stood that the model cannot take', () => {
    const messages = [
      user(said('Hi'), image),
      assistant(call('a')),
      user(result('a', [image as Extract<UserBlock, { type: 'image' }>])),
    ];
    assert.deepEqual(
      chatMessages({ system: [], messages }, false).map(({ parts }) => parts),
      [
        [said('Hi'), noPicture],
        [{ type: 'call', id: 'a', name: 'Read', input: {} }],
        [{ type: 'result', id: 'a', content: [noPicture], isError: false }],
      ],
    );
  });

  it('begin with the instructions, in a frame', () => {
    const [first] = chatMessages({ system: [said('One.'), said('Two.')], messages: [user(said('Hi'))] }, true);
    assert.deepEqual(first, {
      role: 'user',
      parts: [said('<system_instructions>\nOne.\n\nTwo.\n</system_instructions>'), said('Hi')],
    });
  });

  it('leave the request as it is', () => {
    const messages = [user(said('Hi')), user(said('there'))];
    const before = structuredClone(messages);
    chatMessages({ system: [said('One.')], messages }, true);
    assert.deepEqual(messages, before);
  });

  it('are valid whatever the history is', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'odd id!');
    const text = fc.string({ maxLength: 5 }).map(said);
    const userBlock: fc.Arbitrary<UserBlock> = fc.oneof(
      text,
      fc.constant(image),
      fc.constant(document),
      fc
        .tuple(id, fc.oneof(fc.string(), fc.array(text, { maxLength: 2 })))
        .map(([one, content]) => result(one, content)),
    );
    const assistantBlock: fc.Arbitrary<AssistantBlock> = fc.oneof(
      text,
      fc.tuple(id, fc.anything()).map(([one, input]) => call(one, input)),
      fc.constant({ type: 'thinking' as const, thinking: 'x', signature: '' }),
      fc.constant({ type: 'opaque' as const }),
    );
    const message: fc.Arbitrary<Message> = fc.oneof(
      fc.array(userBlock, { maxLength: 4 }).map((content) => user(...content)),
      fc.array(assistantBlock, { maxLength: 4 }).map((content) => assistant(...content)),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 10 }), fc.boolean(), fc.boolean(), (messages, images, system) => {
        assertValid(chatMessages({ system: system ? [said('S')] : [], messages }, images));
      }),
      { numRuns: 500 },
    );
  });
});

describe('tools for VS Code’s models', () => {
  const tools: ModelRequest['tools'] = [
    { name: 'Read', description: 'Reads.', input_schema: { type: 'object' }, strict: true },
    { name: 'Edit', description: 'Edits.', input_schema: { type: 'object' } },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 1 },
  ];

  it('are functions with a schema; the one that must be called stands alone', () => {
    assert.deepEqual(chatTools({ tools }), [
      { name: 'Read', description: 'Reads.', inputSchema: { type: 'object' } },
      { name: 'Edit', description: 'Edits.', inputSchema: { type: 'object' } },
    ]);
    assert.deepEqual(
      chatTools({ tools, tool_choice: { type: 'tool', name: 'Edit' } }).map(({ name }) => name),
      ['Edit'],
    );
  });

  it('and messages are measured in characters', () => {
    const messages = chatMessages(
      { system: [], messages: [user(said('12345')), assistant(call('a', { x: 1 })), user(result('a', '123'), image)] },
      true,
    );
    assert.equal(lengthOf(messages, []), 5 + 'Read{"x":1}'.length + 3 + 5_000);
    assert.ok(lengthOf(messages, chatTools({ tools })) > lengthOf(messages, []) + 'ReadReads.'.length);
  });
});

function assertValid(messages: readonly ChatMessage[]): void {
  assert.ok(messages.length > 0);
  messages.forEach(({ role, parts }, index) => {
    assert.equal(role, index % 2 === 0 ? 'user' : 'assistant');
    assert.ok(parts.length > 0);
  });
  assert.equal(messages.at(-1)?.role, 'user');
  const all: string[] = [];
  messages.forEach(({ parts }, index) => {
    const calls = parts.flatMap((part) => (part.type === 'call' ? [part.id] : []));
    all.push(...calls);
    const next: ChatMessage['parts'] = messages[index + 1]?.parts ?? [];
    const results = next.flatMap((part) => (part.type === 'result' ? [part.id] : []));
    assert.deepEqual(results, calls);
    assert.ok(
      next.slice(0, results.length).every(({ type }) => type === 'result'),
      'results stand first',
    );
    for (const part of parts) if (part.type === 'text') assert.notEqual(part.text.trim(), '');
  });
  assert.equal(new Set(all).size, all.length);
  assert.ok(all.every((id) => /^[a-zA-Z0-9_-]+$/.test(id)));
}
