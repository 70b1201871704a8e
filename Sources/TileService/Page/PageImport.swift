extension Page {
    /// Files that are dropped on the page.
    static let importScript = #"""
        import { address, credentials, refusal } from './server.js';
        import { say } from './state.js';

        /// How long what became of an import is told.
        const TOLD_MS = 20_000;

        let telling = 0;

        function tell(text, milliseconds = 0) {
          clearTimeout(telling);
          say('import', text);
          if (milliseconds) telling = setTimeout(tell, milliseconds, '');
        }

        const counted = (count, word) => count.toLocaleString() + ' ' + word + (count === 1 ? '' : 's');

        /// The last line of a receipt in words.
        function summary(total) {
          const parts = [counted(total.tracks, 'new track'), counted(total.points, 'new point')];
          if (total.duplicates) parts.push(counted(total.duplicates, 'point') + ' there already');
          if (total.failed) parts.push(counted(total.failed, 'file') + ' failed');
          return 'Imported: ' + parts.join(', ') + '.';
        }

        async function send(files) {
          tell('Importing ' + (files.length === 1 ? files[0].name : files.length + ' files') + '…');
          const form = new FormData();
          for (const file of files) form.append('file', file);
          try {
            const response = await fetch(address('v1/import'), { method: 'POST', body: form, headers: credentials });
            const lines = (await response.text()).trim().split('\n');
            const last = JSON.parse(lines.at(-1));
            if (last.files === undefined) tell(refusal(response.status, last), TOLD_MS);
            else if (files.length === 1 && last.failed) tell(files[0].name + ': ' + JSON.parse(lines[0]).error, TOLD_MS);
            else tell(summary(last), TOLD_MS);
          } catch {
            tell('The files could not be sent.', TOLD_MS);
          }
        }

        /// Imports what is dropped on the page; the map goes along by itself.
        export function listenToFiles() {
          const hasFiles = (event) => [...event.dataTransfer?.types ?? []].includes('Files');
          addEventListener('dragover', (event) => {
            if (hasFiles(event)) event.preventDefault();
          });
          addEventListener('drop', (event) => {
            if (!hasFiles(event)) return;
            event.preventDefault();
            const files = [...event.dataTransfer.files];
            if (files.length) send(files);
          });
        }

        """#
}
