// Plays the program that runs Deft: speaks the control protocol over the runner's own standard input and output.
import { type HeadlessEnd, type HeadlessPlace, type HeadlessProcess } from './headless-run';

export type Message = Record<string, unknown>;

export interface ControlProgram {
  readonly run: HeadlessProcess;
  /** A line of the runner that fits, said already or to come; each is given out once. */
  next(fits: (message: Message) => boolean): Promise<Message>;
  send(message: unknown): void;
  say(text: string): void;
  /** Asks the runner; resolves with what is in `response` of its answer. */
  request(request: Message): Promise<Message>;
  /** The runner's next question, as `{request_id, request}`. */
  question(): Promise<Message & { request_id: string; request: Message }>;
  answer(requestId: string, response: unknown): void;
  /** Closes standard input. */
  close(): Promise<HeadlessEnd>;
}

export function startControlProgram(
  place: HeadlessPlace,
  given: { url: string; env?: Record<string, string> },
  ...args: string[]
): ControlProgram {
  const run = place.start(['--input-format', 'stream-json', '--output-format', 'stream-json', ...args], {
    ...given,
    stdin: 'open',
  });
  const said: Message[] = [];
  const waiting = new Set<{
    fits: (message: Message) => boolean;
    found: (message: Message) => void;
    gone: (error: Error) => void;
  }>();
  let rest = '';
  run.child.stdout?.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      const waiter = [...waiting].find(({ fits }) => fits(message));
      if (waiter === undefined) said.push(message);
      else {
        waiting.delete(waiter);
        waiter.found(message);
      }
    }
  });
  void run.ended.then(({ stderr }) => {
    for (const { gone } of waiting)
      gone(new Error(`The runner ended early. It said: ${JSON.stringify(said)}\n${stderr}`));
  });
  const next = (fits: (message: Message) => boolean): Promise<Message> =>
    new Promise((found, gone) => {
      const index = said.findIndex(fits);
      const [message] = index < 0 ? [] : said.splice(index, 1);
      if (message === undefined) waiting.add({ fits, found, gone });
      else found(message);
    });
  const send = (message: unknown): void =>
    void run.child.stdin?.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  let requests = 0;
  return {
    run,
    next,
    send,
    say: (text) =>
      send({ type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null, session_id: '' }),
    async request(request) {
      const id = `req_${++requests}`;
      send({ type: 'control_request', request_id: id, request });
      const { response } = await next(
        (message) => message['type'] === 'control_response' && (message['response'] as Message)['request_id'] === id,
      );
      return response as Message;
    },
    question: async () =>
      (await next(({ type }) => type === 'control_request')) as Awaited<ReturnType<ControlProgram['question']>>,
    answer: (requestId, response) =>
      send({ type: 'control_response', response: { subtype: 'success', request_id: requestId, response } }),
    close() {
      run.child.stdin?.end();
      return run.ended;
    },
  };
}
