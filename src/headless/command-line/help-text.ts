// What --help prints.

export const helpText = `Deft without VS Code: runs a prompt in the current folder and prints the answer.

Usage: node dist/headless.js -p "prompt" [options]
       command | node dist/headless.js -p "prompt" [options]

Standard input is added to the prompt, or is the prompt.

Output and input
  -p, --print                       Accepted for compatibility; this runner always prints and ends
  --output-format FORMAT            text (default), json (one result), stream-json (one message a line)
  --input-format FORMAT             text (default), stream-json (one user message a line, one turn each; or control)
  --include-partial-messages        With stream-json: the raw stream events too
  --replay-user-messages            With stream-json input: prints the user's messages too
  --json-schema SCHEMA              The answer is one JSON object of this schema (structured_output of the result)

What it may do
  --permission-mode MODE            default, acceptEdits, plan, auto, dontAsk, bypassPermissions
  --dangerously-skip-permissions    The same as --permission-mode bypassPermissions
  --allow-dangerously-skip-permissions  A program may switch to bypassPermissions later
  --permission-prompt-tool TOOL     Who is asked in place of a user: stdio (the program, with stream-json both ways) or
                                    a tool of an MCP server (mcp__server__tool)
  --allowedTools RULE...            Rules that allow, e.g. "Edit" "Bash(npm test)"
  --disallowedTools RULE...         Rules that deny; a bare tool name removes the tool
  --allowed-tools, --disallowed-tools  The same
  --tools TOOL...                   The built-in tools that are offered; "" for none, default for all
  --add-dir FOLDER...               More folders to work in
  --settings FILE|JSON              One more settings file, or settings as JSON
  --setting-sources LIST            Whose files are read: user, project, local; "" for nobody's
  --managed-settings FILE|JSON      Settings that count like an organization's
  --trust-project                   Apply what the project's files grant: allow rules, env, folders, hooks
  --mcp-config FILE|JSON...         MCP servers of this run
  --strict-mcp-config               Only those servers
  --bare                            No files of user or project: short for --setting-sources "" --strict-mcp-config
  --disable-slash-commands          No commands and no skills
  --plugin-dir FOLDER               A plugin of this run, read where it is; may be repeated
  --plugin-dir-no-mcp FOLDER        The same without its MCP servers

The model
  --model MODEL                     A model id, or opus, sonnet, haiku, fable
  --fallback-model MODEL            Answers the rest of a turn if the model is overloaded, unknown or declines
  --effort LEVEL                    low, medium, high, xhigh, max
  --fast                            Fast mode, for models that have it, at a higher price
  --thinking MODE                   adaptive, enabled, disabled
  --max-thinking-tokens N           Limit for the thinking of one reply; 0 switches it off where the model allows it
  --betas NAME...                   Beta features of the API, asked for with every request
  --agent NAME                      The conversation has the prompt, tools and model of this agent
  --agents JSON                     Agents by name: {"reviewer": {"description": …, "prompt": …, "tools": […]}}
  --system-prompt TEXT              In place of Deft's system prompt (--system-prompt-file FILE)
  --append-system-prompt TEXT       Added to the system prompt (--append-system-prompt-file FILE)
  --max-turns N                     Maximum number of model replies
  --max-repeats N                   The run stops after N equal calls in a row with equal results (8)
  --max-budget-usd DOLLARS          The run stops before a request that would likely exceed this total
  --demo                            The scripted demo model: no key, no network

Sessions
  -r, --resume ID|TITLE             Continue this session
  -c, --continue                    Continue the latest session in this folder
  --fork-session                    With --resume or --continue: continue in a copy
  --resume-session-at UUID          With --fork-session: the copy ends with this message
  --session-id UUID                 The ID of the new session
  --no-session-persistence          Nothing of the session stays on disk
  -n, --name TITLE                  The session's title
  -w, --worktree [NAME]             Works in a git worktree of its own; with the name of an earlier one, in that

Preparing
  --init                            Setup hooks (trigger init) run before the first turn
  --init-only                       Setup and SessionStart hooks run without a prompt; exit code 1 if one fails
  --maintenance                     Setup hooks (trigger maintenance) run before the first turn

  -h, --help                        This text
  -v, --version                     Deft's version

Environment: ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL, ANTHROPIC_CUSTOM_HEADERS, ANTHROPIC_MODEL,
CLAUDE_CODE_USE_BEDROCK, CLAUDE_CODE_USE_VERTEX, CLAUDE_CODE_USE_FOUNDRY, HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS,
ANTHROPIC_DEFAULT_OPUS_MODEL (and SONNET, FABLE, HAIKU, which is the small model too), CLAUDE_CODE_MAX_OUTPUT_TOKENS,
CLAUDE_CODE_MAX_RETRIES, CLAUDE_CODE_SIMPLE, API_TIMEOUT_MS, CLAUDE_CONFIG_DIR,
MCP_TIMEOUT, MCP_TOOL_TIMEOUT, MCP_TOOL_BACKGROUND_MS, MAX_MCP_OUTPUT_TOKENS, ENABLE_TOOL_SEARCH,
DEFT_CONTEXT_MANAGEMENT.

Nobody can be asked, unless --permission-prompt-tool says so: a call that would need a user's decision is denied,
with the rule that allows it.
Allow rules of the project's own settings files count only once the folder is trusted, which a run without a user
cannot decide: give them with --settings .claude/settings.json or --allowedTools, or pass --trust-project, which lets
its hooks run too. Its deny and ask rules always count.

Exit code: 0 success, 1 failure, 130 interrupted.
`;
