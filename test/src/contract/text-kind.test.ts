import { describe, expect, test } from "bun:test";
import { recognise } from "../../../src/contract/text/kind.ts";

/** What each of these is; undefined is Markdown. */
const samples: readonly (readonly [about: string, kind: string | undefined, text: string])[] = [
  [
    "a script with comments like headings",
    "Shell",
    '#!/bin/bash\n# Deploys the site\n# Usage: deploy.sh HOST\nset -eu\nrsync -a dist/ "$1:/srv/www"\n',
  ],
  ["a script of another interpreter", "Python", "#!/usr/bin/env python3\n# Counts words\nprint(1)\n"],
  [
    "a shell script without a first line",
    "Shell",
    '# Back up the database\nset -euo pipefail\n\n# where it goes\nDEST=/var/backups\nfor db in a b; do\n  pg_dump "$db" | gzip > "$DEST/$db.gz"\ndone\n',
  ],
  [
    "commands one below another",
    "Shell",
    "sudo apt-get update\nsudo apt-get install -y nginx\nsystemctl enable --now nginx\n",
  ],
  ["an object in JSON", "JSON", '{\n  "name": "satchel",\n  "tags": ["a", "b"]\n}\n'],
  ["JSON on one line", "JSON", '{"id":1,"ok":true}'],
  ["a list in JSON", "JSON", "[1, 2, 3]"],
  ["a record in JSON on each line", "JSON", '{"level":"info","msg":"a"}\n{"level":"warn","msg":"b"}\n'],
  [
    "a log of a service",
    "Log",
    "2026-11-25 03:00:01 INFO server started on 8080\n2026-11-25 03:00:02 WARN slow query (1200 ms)\n2026-11-25 03:00:05 ERROR connection refused\n    at connect (net.js:12)\n",
  ],
  [
    "a log with instants as ISO 8601",
    "Log",
    "[2026-11-25T03:00:01.120Z] GET / 200\n[2026-11-25T03:00:01.320Z] GET /a 404\n",
  ],
  [
    "the system's log",
    "Log",
    "Nov 25 03:00:01 host sshd[812]: Accepted publickey for root\nNov 25 03:00:09 host sudo: session opened\n",
  ],
  [
    "a web server's log",
    "Log",
    '10.0.0.1 - - [25/Nov/2026:03:00:01 +0000] "GET / HTTP/1.1" 200 512\n10.0.0.2 - bob [25/Nov/2026:03:00:02 +0000] "GET /x HTTP/1.1" 404 9\n',
  ],
  ["the kernel's log", "Log", "[    0.000000] Linux version 6.1\n[    0.412345] usb 1-1: new device\n"],
  [
    "a trace of Python",
    "Log",
    'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    main()\nValueError: no\n',
  ],
  [
    "a trace of Java",
    "Log",
    "java.lang.IllegalStateException: no\n\tat com.acme.App.run(App.java:12)\n\tat com.acme.App.main(App.java:5)\n",
  ],
  [
    "a crontab",
    "Crontab",
    "# m h dom mon dow command\nMAILTO=ops@example.org\n*/5 * * * * /usr/local/bin/check --all\n0 3 * * 1-5 root /usr/bin/backup\n@reboot /opt/start.sh\n",
  ],
  ["one line of a crontab", "Crontab", "0 4 * * * /usr/bin/certbot renew"],
  [
    "Python with comments",
    "Python",
    '# Reads settings.\n# See the manual.\nimport os\n\n\ndef main():\n    """Run it and say what has come of it all."""\n    path = os.environ[\'HOME\']\n    if not path:\n        raise SystemExit(1)\n    return path\n',
  ],
  [
    "a class of Python with a long description",
    "Python",
    'class Box:\n    """A box holds things that people put into it.\n\n    It never loses any of them and says how many there are.\n    """\n\n    def __init__(self, size):\n        self.size = size\n',
  ],
  [
    "JavaScript",
    "JavaScript",
    "const http = require('http');\n\nhttp.createServer((req, res) => {\n  res.end('ok');\n}).listen(8080);\nconsole.log('up');\n",
  ],
  [
    "TypeScript",
    "TypeScript",
    "interface User {\n  name: string;\n  age?: number;\n}\n\nexport const greet = (user: User): string => user.name;\n",
  ],
  ["Go", "Go", 'package main\n\nimport "fmt"\n\nfunc main() {\n\tname := "x"\n\tfmt.Println(name)\n}\n'],
  [
    "Rust",
    "Rust",
    'use std::io;\n\nfn main() -> io::Result<()> {\n    let mut line = String::new();\n    io::stdin().read_line(&mut line)?;\n    println!("{line}");\n    Ok(())\n}\n',
  ],
  [
    "Java",
    "Java",
    'package com.acme;\n\nimport java.util.List;\n\npublic class App {\n    public static void main(String[] args) {\n        System.out.println("hi");\n    }\n}\n',
  ],
  [
    "C#",
    "C#",
    'using System;\nnamespace Acme;\n\npublic class App {\n    static void Main() {\n        Console.WriteLine("hi");\n    }\n}\n',
  ],
  ["C", "C", '#include <stdio.h>\n\nint main(void) {\n    printf("hi\\n");\n    return 0;\n}\n'],
  ["C++", "C++", '#include <iostream>\n\nint main() {\n    std::cout << "hi" << std::endl;\n    return 0;\n}\n'],
  ["Ruby", "Ruby", "require 'json'\n\nclass Box\n  def initialize\n    @a = 1\n  end\nend\n"],
  ["PHP", "PHP", "<?php\n$a = 1;\necho $a;\n"],
  [
    "SQL",
    "SQL",
    "-- Who is late\nSELECT u.name, count(*)\nFROM users u\nJOIN orders o ON o.user_id = u.id\nWHERE o.late\nGROUP BY u.name;\n",
  ],
  ["SQL in small letters", "SQL", "select * from users where id = 1;"],
  ["a schema", "SQL", "CREATE TABLE users (\n  id INTEGER PRIMARY KEY,\n  name TEXT NOT NULL\n);\n"],
  [
    "CSS",
    "CSS",
    ".card {\n  color: red;\n  padding: 4px 8px;\n}\n\n@media (width < 600px) {\n  .card { display: none; }\n}\n",
  ],
  ["a document of HTML", "HTML", "<!doctype html>\n<html>\n<body><p>Hi</p></body>\n</html>\n"],
  ["XML", "XML", '<?xml version="1.0"?>\n<a><b/></a>\n'],
  [
    "XML without a declaration",
    "XML",
    "<project>\n  <modelVersion>4.0.0</modelVersion>\n  <name>x</name>\n</project>\n",
  ],
  [
    "YAML",
    "YAML",
    'services:\n  web:\n    image: nginx\n    ports:\n      - "80:80"\n# the database\n  db:\n    image: postgres\n',
  ],
  [
    "YAML that begins with dashes",
    "YAML",
    "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: web\n---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: b\n",
  ],
  [
    "settings in sections",
    "INI",
    "[Unit]\nDescription=A thing\n\n[Service]\nExecStart=/usr/bin/thing\nRestart=always\n",
  ],
  ["TOML", "INI", '# what it is\n[package]\nname = "x"\nversion = "0.1.0"\n\n[dependencies]\nserde = "1"\n'],
  ["variables of an environment", "Variables", '# secrets\nDB_HOST=localhost\nDB_PASS="a b"\n'],
  [
    "settings of nginx",
    "nginx",
    "# the site\nserver {\n    listen 80;\n    server_name example.org;\n    location / {\n        proxy_pass http://127.0.0.1:8080;\n    }\n}\n",
  ],
  [
    "a Dockerfile",
    "Dockerfile",
    "# build\nFROM node:22 AS build\nWORKDIR /app\nCOPY . .\nRUN npm ci && npm run build\n",
  ],
  ["a Makefile", "Makefile", ".PHONY: all\nall: main.o\n\tcc -o main main.o\n"],
  [
    "a change of files",
    "Diff",
    "diff --git a/a.md b/a.md\n--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n # Title\n-```old\n+```new\n",
  ],
  ["rows with commas", "CSV", 'name,age,city\nBob,31,Bonn\nEve,28,"Ulm, upper"\n'],
  ["rows with tabs", "CSV", "name\tage\nBob\t31\nEve\t28\n"],
  [
    "PowerShell",
    "PowerShell",
    "$path = 'C:\\\\temp'\nGet-ChildItem $path | Where-Object { $_.Length -gt 1kb }\nRemove-Item -Force $path\n",
  ],
  [
    "Markdown with settings at its head",
    undefined,
    "---\ntitle: A day\ntags:\n  - a\n---\n\n# A day\n\nIt was a fine day and we went out.\n",
  ],
  [
    "a README with blocks of shell",
    undefined,
    "# Satchel\n\nShare texts and files.\n\n## Install\n\n```sh\ncurl -fsSL https://example.org/install.sh | sh\nexport PATH=$PATH:/opt/bin\n```\n",
  ],
  [
    "a README with code that is indented",
    undefined,
    "# Tool\n\nRun the tool with the name of a file:\n\n    tool --all a.txt\n    tool --none b.txt\n\nIt says what it has done.\n",
  ],
  [
    "headings and prose",
    undefined,
    "# Title\n\nOne sentence says little here.\n\n## Part\n\nAnother one says more than that.\n",
  ],
  ["a list of things to do", undefined, "# Today\n- [ ] buy milk\n- [x] call Bob\n- [ ] write to the bank\n"],
  [
    "things to do with colons",
    undefined,
    "Shopping:\n- milk\n- bread\nWork:\n- mail to Eve\n- report\nHome:\n- paint\n",
  ],
  [
    "a poem",
    undefined,
    "The woods are lovely, dark and deep,\nBut I have promises to keep,\nAnd miles to go before I sleep,\nAnd miles to go before I sleep.\n",
  ],
  [
    "prose in Chinese",
    undefined,
    "今天天气很好，我们一起去公园散步。\n晚上回来以后，大家一起做饭。\n# 明天\n继续写报告。\n",
  ],
  ["a list of addresses", undefined, "https://example.org/a\nhttps://example.org/b?x=1&y=2\nhttps://example.net/c#d\n"],
  ["a talk", undefined, "Alice: are you coming?\nBob: in 5 minutes, wait for me\nAlice: ok (hurry)\n"],
  ["a talk with times of day", undefined, "10:12 Alice: are you coming?\n10:13 Bob: yes, see you there\n"],
  ["a table of Markdown", undefined, "| name | age |\n| --- | --- |\n| Bob | 31 |\n"],
  [
    "a letter",
    undefined,
    "Dear Bob,\n\nthank you for the files; I have read them.\nPlease send the rest until Friday.\n\nBest,\nEve\n",
  ],
  [
    "prose about a command",
    undefined,
    "Use git push --force with care: it may lose what others have done.\nAsk the team before you do that.\n",
  ],
  [
    "prose that begins with words of code",
    undefined,
    "import taxes are too high for small shops\nfor many people in this town that is bad\nif they rise again we will close\n",
  ],
  ["choosing in prose", undefined, "Select a file from the list and press the button below it.\n"],
  ["a link", undefined, "[a page](https://example.org)"],
  ["one word", undefined, "hello"],
  ["a password", undefined, "Xk9$w2;lq{!a=1"],
  ["quotes of a mail", undefined, "> On Monday Bob wrote:\n> let us meet at noon\n\nFine with me.\n"],
  ["facts with colons", undefined, "Name: Bob Miller\nPhone: 0228 12345\nStreet: Am Ring 3\nCity: Bonn\n"],
  ["names with commas", undefined, "Bob, Eve, Mallory\nAnn, Tom, Jerry\nKim, Lee, Park\n"],
  [
    "Markdown with HTML within it",
    undefined,
    "<details>\n<summary>More</summary>\n\nSome text that is folded.\n\n</details>\n",
  ],
  ["a recipe", undefined, "Pancakes\n\n1. Mix 200 g flour, 2 eggs and milk.\n2. Fry them in butter.\n\nServe hot.\n"],
  ["bold words in a list", undefined, "* **Fast**: it starts at once\n* **Small**: one file\n* **Calm**: no noise\n"],
  ["a formula", undefined, "The sum is\n\n$$\nx = \\\\frac{a}{b};\n$$\n\nand that is all there is to it.\n"],
  ["times of trains", undefined, "08:15 Bonn\n09:02 Koblenz\n10:30 Mainz\n"],
  ["a changelog", undefined, "## 1.2.0 (2026-11-25)\n\n- Fix `foo()` when empty\n- Add --all to `bar`\n"],
];

describe("what a text is", () => {
  test.each(samples)("%s", (_, kind, text) => {
    expect(recognise(text)?.name).toBe(kind);
    // As Windows ends its lines, and with a mark of the order of bytes.
    expect(recognise(`\uFEFF${text.replaceAll("\n", "\r\n")}`)?.name).toBe(kind);
  });

  test("only its beginning is looked at, also where that is torn", () => {
    const rows = Array.from({ length: 5000 }, (_, id) => `  { "id": ${id}, "name": "n${id}" }`);
    expect(recognise(`[\n${rows.join(",\n")}\n]`)?.name).toBe("JSON");
    expect(recognise(`[${rows.map((row) => row.trim()).join(",")}]`)?.name).toBe("JSON");
    const prose = "It was a fine day and we went out.\n".repeat(2500);
    expect(recognise(`${prose}#!/bin/sh\nset -e\n`)).toBeUndefined();
    expect(recognise(`#!/bin/sh\n${prose}`)?.name).toBe("Shell");
  });

  test("what is deep or endless is told by its beginning", () => {
    const texts = [
      "[".repeat(70_000),
      "{".repeat(60_000),
      `"${"\\".repeat(60_000)}`,
      "",
      " \n\t\n",
      "<a>".repeat(20_000),
    ];
    const [first, ...others] = texts.map((text) => recognise(text)?.name);
    expect([first, ...new Set(others)]).toEqual(["JSON", undefined]);
  });
});
