// A run writes nothing to standard error: also where many calls, hooks and servers listen for its end at once.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { referenceServer } from '../../support/mcp/run-servers';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('standard error of a run', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  const many = <Value>(make: (index: number) => Value, count = 12): Value[] =>
    Array.from({ length: count }, (_none, index) => make(index));
  const at = (name: string): string => path.join(place.workspace, name);
  const run = async (calls: ReturnType<typeof toolUse>[], ...args: string[]): Promise<void> => {
    server.setScript([reply(...calls), reply('Done.')]);
    const end = await place.run(['-p', 'Go', '--permission-mode', 'bypassPermissions', ...args], { url: server.url });
    assert.deepEqual({ code: end.code, stderr: end.stderr }, { code: 0, stderr: '' });
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    assert.equal(sent.split('"type":"tool_result"').length - 1, calls.length, 'every call has its result');
  };

  it('is empty after many reads, searches and commands in one reply', async () => {
    for (const index of many((each) => each)) await writeFile(at(`f${index}.txt`), `word ${index}\n`);
    await run([
      ...many((index) => toolUse('Read', { file_path: at(`f${index}.txt`) }, `r${index}`)),
      ...many((index) => toolUse('Glob', { pattern: `*${index}.txt` }, `g${index}`)),
      ...many((index) => toolUse('Grep', { pattern: `word ${index}` }, `s${index}`)),
      ...many((index) => toolUse('Bash', { command: `cat f${index}.txt` }, `b${index}`)),
      ...many((index) =>
        toolUse('Edit', { file_path: at(`f${index}.txt`), old_string: 'word', new_string: 'w' }, `e${index}`),
      ),
    ]);
  });

  it('is empty where many hooks run for many calls', async () => {
    await mkdir(path.join(place.home, '.claude'), { recursive: true });
    const hooks = many((index) => ({ type: 'command', command: `true ${index}` }));
    const events = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'Stop'];
    await writeFile(
      path.join(place.home, '.claude/settings.json'),
      JSON.stringify({ hooks: Object.fromEntries(events.map((event) => [event, [{ hooks }]])) }),
    );
    await writeFile(at('a.txt'), 'word\n');
    await run(many((index) => toolUse('Grep', { pattern: `w${index}` }, `s${index}`)));
  });

  it('is empty after many calls of a server', async () => {
    const config = JSON.stringify({ mcpServers: { all: referenceServer('everything') } });
    const calls = many((index) => toolUse('mcp__all__echo', { message: `${index}` }, `e${index}`));
    await run([toolUse('ToolSearch', { query: 'select:mcp__all__echo' }, 'find'), ...calls], '--mcp-config', config);
  });

  it('is empty after many agents', async () => {
    const calls = many(
      (index) => toolUse('Agent', { description: 'd', prompt: `Look ${index}`, subagent_type: 'Explore' }, `a${index}`),
      12,
    );
    server.setScript([reply(...calls), ...many(() => reply('Seen.')), reply('Done.')]);
    const end = await place.run(['-p', 'Go'], { url: server.url });
    assert.deepEqual({ code: end.code, stderr: end.stderr }, { code: 0, stderr: '' });
  });
});
