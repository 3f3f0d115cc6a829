// What agents run in repositories of JavaScript, Python, Rust and Go: lines that only look, and lines that do something.

/** Each reads what is in the workspace, or says what is installed. */
export const reading: readonly string[] = `
ls
ls -la
ls -la src
ls -lah dist/ 2>/dev/null
ls -1 src | wc -l
ls src/*.ts
ls -R src | head -50
ls -t | head
ls -d */
ls node_modules/.bin | grep eslint
pwd
pwd && ls
cat package.json
cat package.json | head -40
cat src/index.ts src/util.ts
cat src/*.ts
cat src/*.ts | wc -l
cat src/*.ts | grep -n "export"
cat -n src/index.ts
cat -n src/index.ts | sed -n '1,20p'
cat README.md 2>/dev/null || echo "no readme"
cat tsconfig.json && cat package.json
cat package.json | jq .scripts
cat package.json | jq '.dependencies | keys'
jq '.scripts' package.json
jq -r '.version' package.json
jq -r '.dependencies | to_entries[] | "\\(.key) \\(.value)"' package.json
head -20 src/index.ts
head -n 50 README.md
head -c 200 src/index.ts
head -5 src/*.ts
head -3 *.md
tail -20 src/index.ts
tail -n +10 src/index.ts
tail -n 5 *.json
sed -n '1,40p' src/index.ts
sed -n '10,20p;30q' src/index.ts
sed -n '/export/p' src/index.ts
sed -n '1,5p' src/a.ts src/b.ts
sed 's/foo/bar/' src/index.ts | head
nl -ba src/index.ts | sed -n '1,30p'
wc -l src/index.ts
wc -l src/*.ts
wc -l src/**/*.ts
wc -l $(git ls-files '*.ts') | tail -1 || true
wc -c dist/main.js
grep -n "foo" src/index.ts
grep -rn "TODO" src
grep -rn "TODO" --include="*.ts" .
grep -rn "useState" src --include=*.tsx --include=*.ts
grep -rln "import" src | head
grep -rl "import" src | sort
grep -c "export" src/*.ts
grep -C 3 "export" src/index.ts
grep -A 5 -B 2 "function" src/util.ts
grep -A10 "def main" app/main.py
grep -E "^(import|from)" app/main.py
grep -rnE "class \\w+" app --include='*.py'
grep -o '"version": "[^"]*"' package.json
grep -v "^#" .gitignore
grep -i error logs/app.log | tail -20
grep -n "name" package.json tsconfig.json
grep -rn --exclude-dir=node_modules "config" .
grep -rn "fn main" --include=*.rs .
grep -q "react" package.json && echo yes
egrep -n "foo|bar" src/index.ts
rg foo
rg -n "foo" src
rg -l "export default" src
rg --files
rg --files src | head -20
rg --files -g '*.ts' | wc -l
rg -t ts "interface" src
rg -i "error" -C 2 src
rg -n "foo|bar" --glob '!node_modules' .
rg -c "import" src | sort -t: -k2 -nr | head
rg -A 3 "fn main" src
rg --type-list | grep rust
rg -uu -n secret src
rg -w "name" package.json
find . -name "*.ts"
find . -name "*.ts" -not -path "./node_modules/*"
find . -name '*.py' | head -20
find . -type f | head -50
find . -maxdepth 2 -type d
find src -name "*.test.ts" | wc -l
find . -name node_modules -prune -o -name '*.ts' -print
find . -type f \\( -name '*.ts' -o -name '*.tsx' \\) | sort
find src -type f -name '*.ts' -exec wc -l {} +
find . -name '*.ts' -exec wc -l {} +
find src -type f -exec grep -l "export" {} +
find src -type f -name "*.ts" -exec grep -n "foo" {} \\;
find src -type f -exec head -1 {} \\;
find src -type f -name '*.ts' -exec cat {} +
find . -name '*.md' -exec ls -la {} \\;
find . -newer package.json -type f
find . -size +1M -type f -not -path './.git/*'
find . -mtime -1 -type f
find . -empty -type d
find . -iname '*readme*'
find src -type f -printf '%f\\n'
fd -e ts
fd -e ts . src
fd -t f index
fd main src
tree
tree -L 2
tree -L 2 -I node_modules
tree -a -L 1 src
du -sh .
du -sh src dist 2>/dev/null
du -sh * | sort -h
du -h --max-depth=1 .
df -h .
stat package.json
stat -c '%s %n' package.json
file dist/main.js
file src/*
which node
which node npm python3
which cargo || echo missing
command -v node
command -v pnpm || true
type node
node -v
node --version
npm -v
npm --version
python3 --version
python --version
python3 -V
pip --version
bun --version
deno --version
ruby -v
java -version
make --version
bash --version
node -v && npm -v
node --version; npm --version; git --version
uname -a
uname -s
whoami
id -u
date
date +%Y-%m-%d
date -u +"%Y-%m-%dT%H:%M:%SZ"
hostname
nproc
uptime
free -m
ps aux | grep node
ps aux | head
ps -ef | grep vite | head -3
ps -p 1 -o comm
echo hello
echo "done"
echo $?
echo "$HOME"
printf '%s\\n' a b
printf "%s\\n" "$PWD"
true
test -f package.json && echo exists
test -d src || echo missing
[ -f tsconfig.json ] && cat tsconfig.json
[ -d node_modules ] && echo installed || echo "not installed"
[[ -f package.json ]] && echo yes
[[ -d src && ! -d lib ]] && echo src
if [ -f Cargo.toml ]; then cat Cargo.toml; fi
if [[ -f go.mod ]]; then head -5 go.mod; else echo none; fi
basename src/index.ts .ts
dirname src/index.ts
realpath src
readlink -f src/index.ts
md5sum package.json
sha256sum dist/main.js
cksum package.json
sort names.txt
sort -u names.txt
sort -rn names.txt | head
sort names.txt | uniq -c | sort -rn | head -20
uniq -c names.txt
cut -d: -f1 names.txt
cut -d',' -f1,3 data.csv | head
cut -c1-80 src/index.ts
tr 'a-z' 'A-Z' < names.txt
tr -d '\\r' < README.md | head
comm -12 names.txt other.txt
diff src/a.ts src/b.ts
diff -u src/a.ts src/b.ts | head -40
diff -rq src test --no-dereference || true
diff --brief src/a.ts src/b.ts
cmp src/a.ts src/b.ts
paste names.txt other.txt
column -t data.csv
rev names.txt
tac names.txt | head
od -c names.txt | head -3
hexdump -C dist/main.js | head
xxd dist/main.js | head -5
strings dist/main.js | head
base64 -d encoded.txt
base64 names.txt
awk '{print $1}' names.txt
awk -F, '{print $2}' data.csv
awk -F: '{print $1, $2}' data.csv | sort | uniq -c
awk -F'\\t' '{print $2}' data.csv | sort -u
grep -rl "one" . --include='*.ts' --exclude-dir={node_modules,.git,dist} | head
grep -rn "foo" --include=*.{ts,tsx} src
awk 'NR>=10 && NR<=20' src/index.ts
awk '/export/ {print FILENAME": "$0}' src/index.ts
awk '{s+=$1} END {print s}' names.txt
awk 'END{print NR}' src/index.ts
awk '{ if ($3 > 5) print $1 }' data.csv
awk 'length($0) > 120 {print FILENAME": "FNR}' src/index.ts
awk -v n=3 'NR==n' names.txt
awk '{printf "%s %d\\n", $1, $2}' data.csv
awk '!seen[$0]++' names.txt
ls -l | awk '{print $5, $9}'
git log --oneline | awk '{print $1}' | head -3
wc -l src/*.ts | awk '$1 > 100 {print}'
for f in src/a.ts src/b.ts; do wc -l "$f"; done
for f in src/*.ts; do wc -l "$f"; done
for f in src/*.ts; do echo "== $f"; head -5 "$f"; done
for f in src/a.ts src/b.ts; do echo "$f"; cat "$f"; done
for i in 1 2 3; do echo $i; done
for d in src test; do ls $d; done
for f in package.json tsconfig.json; do test -f $f && echo $f; done
cd src && ls
cd src && cat index.ts
cd src && git status
cd src && git log --oneline -5
cd src && grep -rn foo . | head
F=src/index.ts; wc -l "$F"
f=src/index.ts && grep -n export "$f" | head -20
FILE=package.json; jq .scripts "$FILE"
n=$(wc -l < src/index.ts); echo "lines: $n"
DIR=src; ls -la "$DIR" && find $DIR -name '*.ts'
branch=$(git branch --show-current); echo "on $branch"
for f in src/*.ts; do echo "$f: $(wc -l < "$f")"; done
for f in src/*.ts; do wc -l < "$f"; done
cat src/index.ts | tee /dev/null | wc -l
cd src; ls -la; cd ..
cd app && python3 --version
cd src && wc -l *.ts
(cd src && ls)
git status
git status -s
git status --short
git status --porcelain
git status -sb
git -C src status
git -C src log --oneline -3
git --no-pager log -5
git --no-pager diff
git log
git log --oneline
git log --oneline -10
git log --oneline -20 -- src
git log -1
git log -1 --format=%H
git log -3 --stat
git log -p -1 -- src/index.ts
git log --since="2 weeks ago" --oneline
git log --author="x" --oneline | head
git log --graph --oneline --all | head -20
git log main..HEAD --oneline
git log --pretty=format:"%h %s" -5
git log -S "foo" --oneline
git log --follow -- src/index.ts
git log --diff-filter=D --name-only | head
git diff
git diff HEAD
git diff --stat
git diff --cached
git diff --staged --stat
git diff HEAD~1 -- src
git diff HEAD~1 --name-only
git diff --name-status HEAD
git diff main...HEAD --stat
git diff -U0 src/index.ts
git diff -w HEAD
git diff --word-diff src/index.ts
git diff src/index.ts | head -50
git show
git show HEAD
git show HEAD --stat
git show HEAD:src/index.ts
git show --name-only HEAD
git show HEAD~1:package.json | head -20
git branch
git branch -a
git branch -vv
git branch --show-current
git branch --list 'feat*'
git branch --contains HEAD
git tag
git tag -l
git tag --list 'v*' | tail -3
git remote -v
git remote get-url origin
git stash list
git stash show -p
git rev-parse HEAD
git rev-parse --short HEAD
git rev-parse --abbrev-ref HEAD
git rev-parse --show-toplevel
git ls-files
git ls-files src | head
git ls-files '*.ts' | wc -l
git ls-files --others --exclude-standard
git ls-tree -r HEAD --name-only
git blame src/index.ts
git blame -L 1,10 src/index.ts
git grep foo
git grep -n "foo" -- src
git grep -l "export" HEAD
git config user.email
git config --get user.name
git config --list
git config -l
git config --global user.name
git describe --tags
git describe --tags --always
git shortlog -sn HEAD
git reflog -5
git worktree list
git merge-base main HEAD
git rev-list --count HEAD
git cat-file -p HEAD
git cat-file -t HEAD
git check-ignore -v dist
git for-each-ref --format='%(refname)' refs/heads
git diff HEAD | grep "^+" | wc -l
git status && git diff
git status && git log --oneline -3 && git diff --stat
git log --format='%an' | sort | uniq -c | sort -rn
tar tf build.tar
tar -tf build.tar | head
tar tzf build.tgz
tar -tvf build.tar
seq 1 10
sleep 1
sleep 2 && ls dist
rg -l foo src | xargs wc -l
find src -name '*.ts' | xargs wc -l | tail -1
find src -type f -print0 | xargs -0 wc -l
find src -name '*.ts' | sort | head -5 | xargs head -20
find src -type f 2>/dev/null | grep -v test | xargs ls -la
find . -name '*.ts' | xargs cat
grep -rl foo src | xargs grep -n bar
rg -l foo src | xargs -I{} head -5 {}
rg --files src | xargs sed -n '1,3p'
fd -e ts . src | xargs wc -l
wc -l < src/index.ts | xargs
ls src | xargs -n1 basename
grep -R foo src
grep -Rn "foo" src --include='*.ts' | head
find src -name '*.ts' | xargs grep -n foo
git ls-files '*.ts' | xargs wc -l
ls src; echo "---"; ls test
ls src test 2>&1
ls -la | grep -v total
ls missing 2>/dev/null; echo "exit $?"
time ls
timeout 10 grep -rn foo src
cat src/index.ts | tr -d ' ' | wc -c
cat data.csv | cut -d, -f2 | sort | uniq
cat names.txt | sort | head -n 3 | tail -n 1
echo "a b c" | awk '{print $2}'
echo '{"a":1}' | jq .a
printf 'b\\na\\n' | sort
cat Cargo.toml | grep version
cat go.mod | head -5
head -30 Cargo.toml go.mod pyproject.toml
grep -n "^\\[" pyproject.toml Cargo.toml
grep -rn "func main" --include='*.go' .
grep -rn "def test_" tests | wc -l
cat requirements.txt | grep -i django
cat .github/workflows/*.yml | head -40
ls .github/workflows
cat Makefile | grep "^[a-z]*:"
cat logs/app.log | tail -50 | grep -i warn
`
  .trim()
  .split('\n');

/** Each changes, runs or fetches something. */
export const acting: readonly string[] = `
npm test
npm run build
npm ci
npm install
npm install left-pad
npm run lint -- --fix
npx tsc --noEmit
npx eslint src
npx prettier --write src
npx vitest run
yarn install
pnpm install
pnpm test
node src/index.js
node -e "console.log(1)"
node --test
tsc -p .
python3 app/main.py
python3 -m pytest
python3 -m pytest -q tests
python3 -c "print(1)"
pip install -r requirements.txt
pytest -x
ruff check .
uv run pytest
cargo build
cargo test
cargo run
cargo fmt
cargo clippy
go build ./...
go test ./...
go run .
go mod tidy
go vet ./...
make
make test
mkdir -p dist
touch src/new.ts
rm dist/main.js
rm -rf dist
cp src/a.ts src/c.ts
mv src/a.ts src/d.ts
ln -s src lib
chmod +x scripts/run.sh
echo x > src/new.ts
echo x >> README.md
cat > src/new.ts <<'EOF'
sed -i 's/a/b/' src/a.ts
git add .
git add -A && git commit -m "x"
git commit -m "fix"
git push
git push origin main
git pull
git fetch
git checkout main
git checkout -b feature
git checkout -- src
git switch main
git merge main
git rebase main
git stash
git stash pop
git reset --hard
git reset HEAD~1
git clean -fd
git branch feature
git branch -d feature
git tag v1
git config user.email me@x.org
git remote add origin https://x.org/a.git
git clone https://x.org/a.git
git restore src/a.ts
git cherry-pick HEAD~1
git worktree add ../x
git submodule update --init
curl https://example.com
curl -s https://example.com | jq .
curl -o a.tgz https://example.com/a.tgz
wget https://example.com/a.tgz
tar xzf a.tgz
tar czf a.tgz src
unzip a.zip
docker build .
docker compose up -d
docker ps
kill 123
pkill node
sudo apt-get install x
bash scripts/run.sh
sh -c "ls"
export A=1
find . -name '*.pyc' -delete
find . -name '*.log' -exec rm {} +
ls | xargs rm
sort -o names.txt names.txt
tee out.txt < names.txt
`
  .trim()
  .split('\n')
  .map((line) => (line.endsWith("<<'EOF'") ? `${line}\nexport {};\nEOF` : line));
