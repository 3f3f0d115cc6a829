# The Python process of the REPL: reads length-prefixed code from descriptor 3, answers a JSON line on descriptor 4.
import ast, json, os, reprlib, sys, traceback

os.environ.pop('DEFT_REPL', None)
os.dup2(1, 2)
sys.stdout.reconfigure(encoding='utf-8', errors='backslashreplace', line_buffering=True)
sys.stderr = sys.stdout
requests = os.fdopen(3, 'rb')
answers = os.fdopen(4, 'wb')
os.set_inheritable(3, False)
os.set_inheritable(4, False)
sys.path.insert(0, '')
scope = {'__name__': '__main__', '__builtins__': __builtins__}
short = reprlib.Repr()
short.maxstring = short.maxother = short.maxlong = 10000
short.maxlist = short.maxdict = short.maxtuple = short.maxset = short.maxfrozenset = short.maxdeque = short.maxarray = 100


def shown(value):
    text = repr(value)
    return text if len(text) <= 10000 else short.repr(value)


def evaluate(code):
    tree = ast.parse(code, '<repl>')
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, '<repl>', 'exec'), scope)
    if last is None:
        return ''
    value = eval(compile(ast.Expression(last.value), '<repl>', 'eval'), scope)
    if value is None:
        return ''
    scope['_'] = value
    return shown(value)


while True:
    head = requests.read(10)
    if len(head) < 10:
        break
    request = json.loads(requests.read(int(head)))
    state = 'finished'
    try:
        value = evaluate(request['code'])
    except SystemExit:
        os._exit(0)
    except BaseException as error:
        state = 'failed'
        frames = error.__traceback__
        while frames is not None and frames.tb_frame.f_code.co_filename != '<repl>':
            frames = frames.tb_next
        value = ''.join(traceback.format_exception(type(error), error, frames)).rstrip()
    try:
        sys.stdout.flush()
    except BaseException:
        pass  # The code may have closed or replaced it.
    os.write(1, request['mark'].encode())
    answers.write((json.dumps({'state': state, 'value': value, 'mark': request['mark']}) + '\n').encode())
    answers.flush()
