// VS Code's own language model tools: which of them the agent may be offered, and why the others stay out.

/** They work without a request of VS Code's chat, ask no questions of their own, and Deft has nothing like them. */
export const editorTools = ['testFailure', 'terminal_selection', 'terminal_last_command'] as const;

const double = 'Deft has its own, with its rules and its review';
const chatOnly = "it belongs to a request of VS Code's own chat, and fails or waits for ever without one";

/** Each by its name. One that is in neither list is not offered: what it does is not known. */
export const leftOutTools: Readonly<Record<string, string>> = {
  vscode_listCodeUsages: `LSP finds uses: ${double}, and an answer that waits for the language server`,
  vscode_renameSymbol: `Refactor renames: ${double}. This one writes at once, and leaves the files unsaved`,
  vscode_editFile_internal: `Edit and Write: ${double}`,
  runTests: 'it opens a modal dialog at each call',
  run_in_terminal: `Bash runs commands: ${double}. This one ${chatOnly.replace('it ', '')}`,
  send_to_terminal: `Bash runs commands: ${double}`,
  kill_terminal: `TaskStop: ${double}`,
  get_terminal_output: `TaskOutput: ${double}. It knows only terminals of VS Code's own chat`,
  run_task: chatOnly,
  create_and_run_task: chatOnly,
  get_task_output: 'it finds no terminal of a task',
  runSubagent: `Agent: ${double}`,
  manage_todo_list: `the task tools: ${double}`,
  vscode_askQuestions: `AskUserQuestion: ${double}`,
  vscode_reviewPlan: `ExitPlanMode: ${double}`,
  renderMermaidDiagram: "it draws into VS Code's own chat only",
  setup_tools_createNewWorkspace: chatOnly,
  vscode_searchExtensions_internal: chatOnly,
  inline_chat_exit: chatOnly,
  task_complete: chatOnly,
  vscode_get_confirmation: chatOnly,
  vscode_get_confirmation_with_options: chatOnly,
  vscode_get_terminal_confirmation: chatOnly,
  vscode_get_modified_files_confirmation: chatOnly,
};
