/** `sys.stdlib_module_names` of Python 3.11. Other versions differ in a few names. */
const names = `abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect
  builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent
  configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis
  distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib
  functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib
  imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap
  marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers
  opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix
  posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline
  reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr
  socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct
  subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading
  time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata
  unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile
  zipimport zlib zoneinfo __future__ _thread`;

const provided = new Set([...names.split(/\s+/), "pyspark", "py4j"]);

// Python finds these built-in modules before it searches `sys.path`.
const builtIn = new Set(
  "__main__ atexit builtins errno faulthandler gc itertools marshal posix sys time _thread".split(
    " ",
  ),
);

/**
 * True for a top-level module of the standard library or of PySpark, which the image's Python provides. Callers search
 * for such a module only in the main script's folder, because Python searches that folder first.
 */
export const isProvidedModule = (name: string): boolean => provided.has(name);

/** True if the top-level module is built into the interpreter, so that no file can shadow it. */
export const isBuiltInModule = (name: string): boolean => builtIn.has(name);
