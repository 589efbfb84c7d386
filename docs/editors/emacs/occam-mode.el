;;; occam-mode.el --- occam 2.1 and occam-pi, with occc  -*- lexical-binding: t; -*-

;;; Commentary:

;; Colours, indentation, folds, M-x compile, and the language server through eglot (Emacs 29, or eglot from ELPA).
;;   (add-to-list 'load-path "PREFIX/share/occc/editors/emacs")
;;   (require 'occam-mode)
;;   (add-hook 'occam-mode-hook #'eglot-ensure)

;;; Code:

(defgroup occam nil "Programs in occam." :group 'languages)

(defcustom occam-indent 2 "Blanks of one level." :type 'integer :group 'occam)

(defconst occam--process-words
  '("AFTER" "ALT" "ASM" "CASE" "CLAIM" "CLOSE" "DROP" "DYNCALL" "ELSE" "ENROLL" "FOR" "FORK" "FORKING"
    "FROM" "GUY" "IF" "NEXT" "PAR" "PRI" "PROCESSOR" "RESIGN" "RESUME" "SEQ" "SKIP" "STEP" "STOP"
    "SUSPEND" "SYNC" "WHILE"))

(defconst occam--type-words
  '("ANY" "BARRIER" "BOOL" "BUFFERED" "BYTE" "CHAN" "CLOCK" "INT" "INT16" "INT32" "INT64" "MOBILE"
    "MOBILE.ANY" "MOBILE.CHAN" "MOBILE.PROC" "MUTEX" "PORT" "REAL32" "REAL64" "RECORD" "SHARED"
    "TIMER" "UINT" "UINT16" "UINT32" "UINT64"))

(defconst occam--declaration-words
  '("ALIGNED" "AT" "DATA" "DMA" "EMPTY" "EXTENDS" "FIXED" "FUNCTION" "IMPLEMENTS" "IN" "INITIAL"
    "INLINE" "IS" "OF" "PACKED" "PLACE" "PLACED" "PROC" "PROTOCOL" "REC" "RECURSIVE" "RESHAPES"
    "RESULT" "RETYPES" "TRACES" "TYPE" "TYPEHASHCHECK" "VAL" "VALOF" "VECSPACE" "WORKSPACE"))

(defconst occam--operator-words
  '("ADDROF" "AND" "BITAND" "BITNOT" "BITOR" "BYTESIN" "CLONE" "CLOSED" "DEFINED" "HWADDROF" "MINUS"
    "MOSTNEG" "MOSTPOS" "NOT" "OFFSETOF" "OR" "PHASE" "PLUS" "REM" "ROUND" "SIZE" "TIMES" "TRUNC"
    "TYPEHASHOF"))

(defconst occam--constant-words
  '("FALSE" "TRUE" "UNDEFINED"))

(defvar occam-font-lock-keywords
  `((,(rx (or "--{{{" "--}}}") (* nonl)) 0 font-lock-doc-face t)
    (,(rx bol (* blank) (group "#" (+ upper) symbol-end)) 1 font-lock-preprocessor-face)
    (,(rx symbol-start (or "PROC" "FUNCTION" "PROTOCOL" "DATA TYPE" "CHAN TYPE") (+ blank) (group alpha (* (any alnum "._"))))
     1 font-lock-function-name-face)
    (,(regexp-opt occam--process-words 'symbols) . 'font-lock-keyword-face)
    (,(regexp-opt occam--type-words 'symbols) . 'font-lock-type-face)
    (,(regexp-opt occam--declaration-words 'symbols) . 'font-lock-keyword-face)
    (,(regexp-opt occam--operator-words 'symbols) . 'font-lock-builtin-face)
    (,(regexp-opt occam--constant-words 'symbols) . 'font-lock-constant-face)
    ("#[0-9A-F]+" . 'font-lock-constant-face)))

(defvar occam-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?- ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?. "_" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?* "\\" table)
    (modify-syntax-entry ?\\ "." table)
    (modify-syntax-entry ?\' "\"" table)
    table))

(defconst occam--definition
  (rx bol (* blank) (? upper (* (any upper digit ", ")) " ")
      (or "PROC" "FUNCTION" "PROTOCOL" "DATA TYPE" "CHAN TYPE") symbol-end))

(defconst occam--opener
  (rx bol (* blank) (? (or "PRI " "PLACED "))
      (or "SEQ" "PAR" "ALT" "IF" "CASE" "WHILE" "VALOF" "FORKING" "CLAIM" "RESIGN" "ENROLL" "RECORD" "ELSE" "TRUE")
      symbol-end))

(defun occam--last-code-line ()
  "Go to the last line above that has code; nil: there is none."
  (let ((found nil))
    (while (and (not found) (zerop (forward-line -1)))
      (setq found (not (looking-at (rx (* blank) (or eol "--"))))))
    found))

(defun occam--indentation ()
  "Where the line of point should begin."
  (save-excursion
    (beginning-of-line)
    (if (looking-at (rx (* blank) ":" (* blank) eol))
        (if (re-search-backward occam--definition nil t) (current-indentation) 0)
      (if (not (occam--last-code-line))
          0
        (+ (current-indentation)
           (if (or (looking-at occam--opener)
                   (looking-at (rx (* nonl) "?" (* blank) "CASE" (* blank) eol))
                   (and (looking-at occam--definition)
                        (not (looking-at (rx (* nonl) (or " IS " (seq ":" (* blank) eol)))))))
               occam-indent
             0))))))

(defun occam-indent-line ()
  "Indent the line; again: one level less, for indentation has meaning."
  (interactive)
  (let ((wanted (occam--indentation))
        (column (- (current-column) (current-indentation))))
    (indent-line-to (if (and (eq last-command this-command) (> (current-indentation) 0))
                        (max 0 (- (current-indentation) occam-indent))
                      wanted))
    (when (> column 0)
      (move-to-column (+ (current-indentation) column)))))

;;;###autoload
(define-derived-mode occam-mode prog-mode "occam"
  "Programs in occam, with occc."
  (setq-local font-lock-defaults '(occam-font-lock-keywords))
  (setq-local comment-start "-- ")
  (setq-local comment-start-skip "--+\\*?[ \t]*")
  (setq-local indent-line-function #'occam-indent-line)
  (setq-local electric-indent-inhibit t)
  (setq-local indent-tabs-mode nil)
  (setq-local outline-regexp "[ \t]*--[ \t]*{{{")
  (setq-local compile-command
              (concat "occc check " (shell-quote-argument (or buffer-file-name "")))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(occ\\|module\\)\\'" . occam-mode))

(defvar compilation-error-regexp-alist)
(defvar compilation-error-regexp-alist-alist)
(with-eval-after-load 'compile
  (add-to-list 'compilation-error-regexp-alist-alist
               '(occc "^\\(.+?\\):\\([0-9]+\\):\\([0-9]+\\): \\(?:error\\|\\(warning\\)\\|\\(note\\)\\)\\[" 1 2 3 (4 . 5)))
  (add-to-list 'compilation-error-regexp-alist 'occc))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(occam-mode . ("occc" "lsp"))))

(provide 'occam-mode)

;;; occam-mode.el ends here
