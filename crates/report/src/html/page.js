
// Moves what is known last to the front, and filters the findings. It changes only which elements are hidden, and never
// makes markup of text.
'use strict';
addEventListener('DOMContentLoaded', () => {
  const $ = (selector, inside = document) => inside.querySelector(selector);
  const $$ = (selector, inside = document) => [...inside.querySelectorAll(selector)];

  // The document ends with the summary, and a section ends with its statement, because they are known last. They are
  // read first.
  const form = $('#filter');
  const summary = $('#summary');
  if (summary) form.before(summary);
  for (const statement of $$('.file > .statement')) statement.parentElement.firstElementChild.after(statement);

  // A part of the page that a path belongs to, with its findings.
  const parts = $$('#findings > [data-path]').map((element) => ({
    element,
    path: element.dataset.path.toLowerCase(),
    findings: $$('.finding', element),
  }));
  const total = parts.reduce((sum, part) => sum + part.findings.length, 0);

  const { kind, path } = form.elements;
  const kinds = new Set(parts.flatMap((part) => part.findings.map((finding) => finding.dataset.kind)));
  for (const id of [...kinds].sort()) kind.append(new Option(id));

  const apply = () => {
    const wanted = path.value.toLowerCase();
    let shown = 0;
    for (const part of parts) {
      const fits = part.path.includes(wanted);
      let any = fits && !kind.value;
      for (const finding of part.findings) {
        const visible = fits && (!kind.value || finding.dataset.kind === kind.value);
        finding.hidden = !visible;
        any ||= visible;
        shown += visible;
      }
      part.element.hidden = !any;
    }
    $('output', form).textContent = `${shown} of ${total} pictures`;
  };

  // The filter is in the fragment of the address, so that a view can be linked: #kind=truncated&path=src
  const write = () => {
    const wanted = new URLSearchParams();
    if (kind.value) wanted.set('kind', kind.value);
    if (path.value) wanted.set('path', path.value);
    const fragment = wanted.toString();
    history.replaceState(null, '', fragment ? `#${fragment}` : location.pathname + location.search);
    apply();
  };
  const read = () => {
    const fragment = location.hash.slice(1);
    const target = document.getElementById(fragment);
    // A place that is shown needs no other view.
    if (target && !target.closest('[hidden]')) return;
    const wanted = new URLSearchParams(target ? '' : fragment);
    kind.value = wanted.get('kind') ?? '';
    if (kind.selectedIndex < 0) kind.value = '';
    path.value = wanted.get('path') ?? '';
    apply();
    target?.scrollIntoView();
  };

  form.addEventListener('input', write);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', (event) => {
    event.preventDefault();
    kind.value = path.value = '';
    write();
  });
  addEventListener('hashchange', read);
  form.hidden = false;
  read();
  apply();
});
