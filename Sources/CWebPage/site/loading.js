import { element, setNotice, showError } from './document.js';

/// What is shown if a module of the page cannot be loaded.
export const NOT_LOADED = 'This part of the page could not be loaded. Reload the page.';

const styles = new Map();

/// Loads a style sheet, once. Its name is written with ./ in front, so that the server finds and replaces it.
export function loadStyle(name) {
  if (!styles.has(name)) {
    styles.set(name, new Promise((done, failed) => {
      const href = new URL(name, import.meta.url).href;
      const link = Object.assign(element('link'), { rel: 'stylesheet', href, onload: done });
      link.onerror = () => {
        link.remove();
        styles.delete(name);
        failed(new Error('no style sheet'));
      };
      document.head.append(link);
    }));
  }
  return styles.get(name);
}

/// Shows why something that is loaded when it is needed could not be shown: its module is missing, or a request failed.
export function showLoadingError(source, error) {
  if (error.status === undefined) setNotice(source, NOT_LOADED);
  else showError(source, error);
}
