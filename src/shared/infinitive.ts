// What a call would do, from what it does: "Edit a.ts" for "Editing a.ts". Of a call that waits, or never ran.

const verbs: Readonly<Record<string, string>> = {
  Adding: 'Add',
  Applying: 'Apply',
  Asking: 'Ask',
  Clicking: 'Click',
  Closing: 'Close',
  Continuing: 'Continue',
  Debugging: 'Debug',
  Deleting: 'Delete',
  Editing: 'Edit',
  Ending: 'End',
  Entering: 'Enter',
  Evaluating: 'Evaluate',
  Fetching: 'Fetch',
  Finding: 'Find',
  Formatting: 'Format',
  Giving: 'Give',
  Inserting: 'Insert',
  Listing: 'List',
  Looking: 'Look',
  Moving: 'Move',
  Opening: 'Open',
  Organizing: 'Organize',
  Pausing: 'Pause',
  Pressing: 'Press',
  Reading: 'Read',
  Renaming: 'Rename',
  Reporting: 'Report',
  Running: 'Run',
  Searching: 'Search',
  Setting: 'Set',
  Showing: 'Show',
  Starting: 'Start',
  Stepping: 'Step',
  Stopping: 'Stop',
  Taking: 'Take',
  Telling: 'Tell',
  Typing: 'Type',
  Updating: 'Update',
  Using: 'Use',
  Waiting: 'Wait',
  Writing: 'Write',
};

/** Sentences that begin otherwise stay as they are. */
export function infinitive(sentence: string): string {
  const [first = ''] = sentence.split(' ', 1);
  const verb = verbs[first];
  return verb === undefined ? sentence : verb + sentence.slice(first.length);
}
