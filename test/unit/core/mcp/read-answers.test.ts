// What servers send that no request may hold: halves of surrogate pairs, and schemas that are nested without an end.
import assert from 'node:assert/strict';
import { readContent, readTools } from '../../../../src/core/mcp/read-answers';

const half = 'a\ud83d b';
const sound = 'a\ufffd b';

describe('answers of MCP servers', () => {
  it('bring no half of a surrogate pair into a request, which the API would refuse for ever', () => {
    const raw = [
      {
        name: 'one',
        title: half,
        description: half,
        inputSchema: {
          type: 'object',
          properties: { [half]: { type: 'string', description: half, enum: ['😀', half] } },
        },
      },
    ];
    const [tool] = readTools(raw, () => assert.fail());
    assert.deepEqual([tool?.title, tool?.description], [sound, sound]);
    assert.deepEqual(tool?.inputSchema, {
      type: 'object',
      properties: { [sound]: { type: 'string', description: sound, enum: ['😀', sound] } },
    });
    const content = readContent([
      { type: 'text', text: half },
      { type: 'resource', resource: { uri: half, text: half } },
      { type: 'resource_link', uri: half, description: half },
      { type: 'text', text: 'whole 😀' },
    ]);
    assert.deepEqual(content, [
      { type: 'text', text: sound },
      { type: 'resource', uri: sound, text: sound },
      { type: 'link', uri: sound, name: sound, description: sound },
      { type: 'text', text: 'whole 😀' },
    ]);
    const pattern = { type: 'object', properties: { a: { type: 'string', pattern: '[\\ud800-\\udbff]' } } };
    assert.deepEqual(readTools([{ name: 'two', inputSchema: pattern }], () => assert.fail())[0]?.inputSchema, pattern);
  });

  it('lose a tool alone whose schema is nested without an end', () => {
    let deep: Record<string, unknown> = { type: 'string' };
    for (let level = 0; level < 20_000; level++) deep = { type: 'object', properties: { a: deep } };
    const notes: string[] = [];
    assert.deepEqual(
      readTools([{ name: 'deep', inputSchema: deep }, { name: 'good' }], (line) => notes.push(line)).map(
        ({ name }) => name,
      ),
      ['good'],
    );
    assert.deepEqual(notes, ['The tool deep was ignored: its schema is nested too deeply.']);
  });
});
