// docs/tools.md says what the tools are now, and says it of any tool.
import assert from 'node:assert/strict';
import { z } from 'zod/v3';
import { getAllBaseTools } from '../../src/core/tools/registry';
import { fakeTool, type FakeToolFields } from '../support/fake-tools';
import { matchFile } from './snapshot';
import { toolsDocument, toolsDocumentFile } from './tools-document';

const chapterOf = async (fields: FakeToolFields): Promise<string> =>
  (await toolsDocument([fakeTool('Act', fields)])).split('## Act')[1] ?? assert.fail();

describe('docs/tools.md', () => {
  it('is what the definitions say', async () => {
    const text = await toolsDocument();
    for (const { name, aliases } of getAllBaseTools()) {
      assert.ok(text.includes(`\n## ${name}\n`), name);
      for (const alias of aliases) assert.ok(text.includes(`\`${alias}\``), alias);
    }
    matchFile(toolsDocumentFile, text);
  });

  const conditions: [string, FakeToolFields, string][] = [
    ['always', {}, 'always'],
    ['never', { isEnabled: () => false }, 'never'],
    ['a port', { isEnabled: ({ has }) => has('languages') }, 'if the host has language servers'],
    [
      'a port and a user',
      { isEnabled: ({ has, interactive }) => has('web') && interactive },
      'if the host has a web client and a user can be asked',
    ],
    [
      'a platform or a name',
      { isEnabled: ({ platform, names }) => platform === 'win32' || names('Act') },
      'on win32; or on linux and darwin if a setting, an allow-list or an agent file names it',
    ],
  ];
  for (const [name, fields, expected] of conditions) {
    it(`tells when a tool is enabled: ${name}`, async () =>
      assert.ok((await chapterOf(fields)).includes(`\n- Enabled: ${expected}\n`), await chapterOf(fields)));
  }

  it('tells nested parameters, their types and bounds, and the limits that the prompt names', async () => {
    const inputSchema = z.strictObject({
      list: z
        .array(z.strictObject({ mode: z.enum(['a|b', 'c']).describe('One | other') }))
        .max(4)
        .describe('Things'),
      either: z
        .union([z.string(), z.number().min(2)])
        .optional()
        .describe('This or that'),
    });
    const chapter = await chapterOf({
      inputSchema: inputSchema as never,
      maxResultSizeChars: 1_234,
      prompt: async () => 'Does things. It is quick.\n\n- At most 7 things. Use it in 2026.\n',
    });
    for (const line of [
      'Does things.',
      '  - A result of more than 1,234 characters goes to a file; the model gets a preview.',
      '  - At most 7 things.',
      '| `list` | array of object, items: at most 4 | yes | Things |',
      '| `list[].mode` | `"a\\|b"`, `"c"` | yes | One \\| other |',
      '| `either` | string or number, at least 2 | no | This or that |',
    ]) {
      assert.ok(chapter.split('\n').includes(line), `${line}\n${chapter}`);
    }
    assert.ok(!chapter.includes('2026'));
  });
});
