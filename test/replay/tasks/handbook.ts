// Tasks in a handbook: Markdown pages, YAML and JSON; its checker runs for real.
import { edit, find, lines, list, read, run, slip, write, type Task } from '../intents';

export const handbookTasks: readonly Task[] = [
  {
    name: 'handbook/broken-links',
    repository: 'handbook',
    prompt: 'The checker fails. Fix what it reports.',
    steps: [
      [run('node check.mjs')],
      [...read('nav.yml', 'pages/start.md'), lines('report-template')],
      [
        edit('pages/start.md', '(oncall.md)', '(on-call.md)'),
        edit(
          'nav.yml',
          '- title: On call\n  page: on-call.md\n',
          '- title: On call\n  page: on-call.md\n- title: Report\n  page: report-template.md\n',
        ),
        run('node check.mjs'),
      ],
    ],
    answer: 'One link had a wrong name and one page was missing in the navigation. The checker finds no errors.',
  },
  {
    name: 'handbook/new-page',
    repository: 'handbook',
    prompt:
      'Add a page about reviews below Releases: at least one approval, answers within a day, small changes. Link it from the plan.',
    steps: [
      [list('pages/**'), ...read('nav.yml', 'pages/releases/plan.md', 'pages/releases/checklist.md')],
      [
        write(
          'pages/releases/reviews.md',
          '# Reviews\n\n- Every change has at least one approval.\n- Answer a review within a day.\n- Keep changes small: below 400 lines if you can.\n',
        ),
        edit(
          'nav.yml',
          '      page: releases/checklist.md\n',
          '      page: releases/checklist.md\n    - title: Reviews\n      page: releases/reviews.md\n',
        ),
        edit(
          'pages/releases/plan.md',
          '- The *writer* writes the notes.\n',
          '- The *writer* writes the notes.\n- Everybody [reviews](reviews.md).\n',
        ),
        run('node check.mjs'),
      ],
    ],
    answer:
      'Added `pages/releases/reviews.md`, its entry in `nav.yml` and the link. The checker reports the two errors that were there before.',
  },
  {
    name: 'handbook/workflow-versions',
    repository: 'handbook',
    prompt: 'Update the workflow: actions v4, Node 22, branch main.',
    steps: [
      [find('actions/')],
      [slip('.github/workflows/site.yml', 'branches: [ master ]', 'branches: [ main ]')],
      read('.github/workflows/site.yml'),
      [
        edit('.github/workflows/site.yml', 'branches: [master]', 'branches: [main]'),
        edit('.github/workflows/site.yml', 'checkout@v3', 'checkout@v4'),
        edit('.github/workflows/site.yml', 'setup-node@v3', 'setup-node@v4'),
        edit('.github/workflows/site.yml', 'node-version: 16', 'node-version: 22'),
        lines('v3|master'),
      ],
    ],
    answer: 'The workflow uses v4 of both actions, Node 22 and main.',
  },
  {
    name: 'handbook/site-settings',
    repository: 'handbook',
    prompt:
      'Switch the dark theme on, search from 2 letters, and add a link "Source" to https://git.example.com behind the others.',
    steps: [
      read('site.json'),
      [
        edit('site.json', '"dark": false', '"dark": true'),
        edit('site.json', '"minimum": 3', '"minimum": 2'),
        edit(
          'site.json',
          '"url": "https://chat.example.com" }\n',
          '"url": "https://chat.example.com" },\n    { "text": "Source", "url": "https://git.example.com" }\n',
        ),
        run("node -e \"JSON.parse(require('fs').readFileSync('site.json'))\""),
      ],
    ],
    answer: 'Changed all three in `site.json`; it is valid JSON.',
  },
  {
    name: 'handbook/wording',
    repository: 'handbook',
    prompt: 'Say "forum" instead of "chat" in all pages and in the settings, except for the address.',
    steps: [
      [lines('chat', undefined), lines('Chat')],
      read('pages/start.md', 'pages/on-call.md', 'pages/releases/checklist.md', 'site.json'),
      [
        edit('pages/start.md', 'in the chat', 'in the forum'),
        edit('pages/on-call.md', 'into the chat', 'into the forum'),
        edit('pages/releases/checklist.md', 'in the chat', 'in the forum'),
        edit('site.json', '"text": "Chat"', '"text": "Forum"'),
        lines('[Cc]hat'),
      ],
    ],
    answer: 'Changed in three pages and `site.json`; the address still has "chat".',
  },
];
