//! The imports of this crate's files, read from its sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, UseTree, Visibility};

/// The path of a module: `["codec", "utf8"]`.
pub type Module = Vec<String>;

/// A file, and what it imports.
#[derive(Default)]
struct File {
    module: Module,
    /// Paths in its own code, from the root of the crate; the last part may be an item.
    paths: BTreeSet<Module>,
    /// Names that it only re-exports: where each comes from.
    passed_on: BTreeMap<String, Module>,
}

/// The modules of the crate, each with the modules that it imports from.
pub struct Imports(pub BTreeMap<Module, BTreeSet<Module>>);

impl Imports {
    /// Reads the sources below `src`, without their tests.
    pub fn of(src: &Path) -> Self {
        let mut paths = Vec::new();
        sources(src, &mut paths);
        let modules: BTreeSet<Module> = paths.iter().map(|path| module_of(src, path)).collect();
        let files: BTreeMap<Module, File> = paths
            .iter()
            .map(|path| {
                let module = module_of(src, path);
                let mut reader = Reader {
                    modules: &modules,
                    here: module.clone(),
                    names: BTreeSet::new(),
                    file: File { module: module.clone(), ..File::default() },
                };
                let text = fs::read_to_string(path).unwrap();
                reader.visit_file(&syn::parse_file(&text).unwrap());
                (module, reader.finish())
            })
            .collect();
        let imports = files.values().map(|file| {
            let origins = file.paths.iter().filter_map(|path| origin(&files, path));
            (file.module.clone(), origins.filter(|origin| *origin != file.module).collect())
        });
        Self(imports.collect())
    }

    /// Returns the modules that import themselves through others, one set per line.
    pub fn cycles(&self) -> Vec<String> {
        let reached: BTreeMap<_, _> =
            self.0.keys().map(|module| (module, self.reached(module))).collect();
        let set = |module: &Module| -> Vec<String> {
            let back = |other: &&&Module| reached[**other].contains(module);
            reached[module].iter().filter(back).map(|other| other.join("::")).collect()
        };
        let sets: BTreeSet<_> = self.0.keys().map(set).filter(|set| !set.is_empty()).collect();
        sets.into_iter().map(|set| set.join(" <-> ")).collect()
    }

    /// Returns all modules that a module imports, directly or through others.
    fn reached<'m>(&'m self, module: &'m Module) -> BTreeSet<&'m Module> {
        let (mut reached, mut next) = (BTreeSet::new(), vec![module]);
        while let Some(module) = next.pop() {
            next.extend(self.0[module].iter().filter(|other| reached.insert(*other)));
        }
        reached
    }
}

/// Returns the module that defines what a path names, following re-exports.
fn origin(files: &BTreeMap<Module, File>, path: &[String]) -> Option<Module> {
    let len = (0..=path.len()).rev().find(|len| files.contains_key(&path[..*len]))?;
    let (module, rest) = path.split_at(len);
    match rest.first().and_then(|name| files[module].passed_on.get(name)) {
        Some(from) => origin(files, from),
        None => Some(module.to_vec()),
    }
}

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && path.file_stem().is_some_and(|stem| stem != "tests")
        {
            found.push(path);
        }
    }
}

fn module_of(src: &Path, path: &Path) -> Module {
    let inside = path.strip_prefix(src).unwrap().with_extension("");
    let mut module: Module = inside.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if matches!(module.last().unwrap().as_str(), "mod" | "lib") {
        module.pop();
    }
    module
}

/// Collects the paths of a file.
struct Reader<'m> {
    modules: &'m BTreeSet<Module>,
    /// The module being read: that of the file, or one inside it.
    here: Module,
    /// Names that are used alone.
    names: BTreeSet<String>,
    file: File,
}

impl Reader<'_> {
    /// Returns the file, including what it uses of its re-exports.
    fn finish(mut self) -> File {
        let used = self.names.iter().filter_map(|name| self.file.passed_on.get(name));
        self.file.paths.extend(used.cloned());
        self.file
    }

    /// Returns a path from the root of the crate; `None` for a path that leads out of it.
    fn absolute(&self, path: &[String]) -> Option<Module> {
        let supers = path.iter().take_while(|part| *part == "super").count();
        let base = match path[0].as_str() {
            "crate" => return Some(path[1..].to_vec()),
            "self" => [&self.here[..], &path[1..]].concat(),
            "super" => [&self.here[..self.here.len() - supers], &path[supers..]].concat(),
            child => {
                let module = [&self.here[..], &[child.to_owned()]].concat();
                self.modules.contains(&module).then_some(())?;
                [&self.here[..], path].concat()
            }
        };
        Some(base)
    }

    fn import(&mut self, tree: &UseTree, prefix: &[String], passes_on: bool) {
        let with = |name: &dyn ToString| [prefix, &[name.to_string()]].concat();
        let (path, name) = match tree {
            UseTree::Path(path) => {
                return self.import(&path.tree, &with(&path.ident), passes_on);
            }
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.import(tree, prefix, passes_on));
            }
            UseTree::Name(name) if name.ident == "self" => (prefix.to_vec(), None),
            UseTree::Name(name) => (with(&name.ident), Some(name.ident.to_string())),
            UseTree::Rename(rename) => (with(&rename.ident), Some(rename.rename.to_string())),
            UseTree::Glob(_) => (prefix.to_vec(), None),
        };
        let Some(path) = self.absolute(&path) else { return };
        match name {
            Some(name) if passes_on => drop(self.file.passed_on.insert(name, path)),
            _ => drop(self.file.paths.insert(path)),
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Use(item) if !is_test(&item.attrs) => {
                let private = matches!(item.vis, Visibility::Inherited);
                self.import(&item.tree, &[], !private);
            }
            Item::Fn(item) if is_test(&item.attrs) => {}
            Item::Impl(item) if is_test(&item.attrs) => {}
            item => visit::visit_item(self, item),
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if item.content.is_some() && !is_test(&item.attrs) {
            self.here.push(item.ident.to_string());
            visit::visit_item_mod(self, item);
            self.here.pop();
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Vec<_> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        if let [name] = &parts[..] {
            self.names.insert(name.clone());
        } else if let Some(path) = self.absolute(&parts) {
            self.file.paths.insert(path);
        }
        visit::visit_path(self, path);
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Meta>().is_ok_and(|condition| match condition {
                // cfg(all(test, …))
                syn::Meta::List(list) => {
                    list.path.is_ident("all") && list.tokens.to_string().starts_with("test")
                }
                condition => condition.path().is_ident("test"),
            })
    })
}
