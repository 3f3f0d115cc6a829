// What tests of a program that runs Deft begin with: places, servers and programs that end with their test.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type ControlProgram, type Message, startControlProgram } from './control-program';
import { type HeadlessPlace } from './headless-run';
import { withHeadlessPlace } from './headless-suite';
import { type MessagesApi } from './messages-api/server';

export interface ControlSuite {
  /** Killed behind the test. */
  program(...args: string[]): ControlProgram;
  result(from: ControlProgram): Promise<Message>;
  /** Whether the workspace has this file. */
  there(name: string): boolean;
  /** What was sent to the model last, as after a call. */
  lastSent(): string;
}

/** To be called in a `describe`; `use` gets place and server anew before each test. */
export function withControlPrograms(use: (place: HeadlessPlace, server: MessagesApi) => void): ControlSuite {
  let place: HeadlessPlace;
  let server: MessagesApi;
  let programs: ControlProgram[] = [];
  withHeadlessPlace((...opened) => {
    [place, server] = opened;
    use(...opened);
  });
  afterEach(() => {
    for (const { run } of programs) run.child.kill('SIGKILL');
    programs = [];
  });
  return {
    program(...args) {
      const started = startControlProgram(place, { url: server.url }, ...args);
      programs.push(started);
      return started;
    },
    result: (from) => from.next(({ type }) => type === 'result'),
    there: (name) => existsSync(path.join(place.workspace, name)),
    lastSent: () => JSON.stringify((server.requests.at(-1)?.body['messages'] as unknown[]).at(-1)),
  };
}
