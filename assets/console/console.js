// The quick-create page. Text that comes from elsewhere (link, template, AWS's answers) is only ever put into the
// page as text.
"use strict";

const $ = (id) => document.getElementById(id);
let region = new URLSearchParams(location.search).get("region") || "";
let template = null; // what the server said about the template that is shown
let source = {}; // template_url or template_body
let shown = 0; // raised with each page, so that a late answer for an earlier one is dropped
let creating = false;

async function ask(path, body) {
  const options = { headers: { "x-glueup-console": "1" }, cache: "no-store" };
  if (body) {
    options.method = "POST";
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify({ as: $("signed-in-as").value, region, ...body });
  }
  let answer;
  try {
    const response = await fetch("/_console/api/" + path, options);
    answer = await response.json();
  } catch (why) {
    throw new Error("The embedded AWS does not answer. Is glueup still running?");
  }
  if (answer.error) throw new Error(`${answer.error.message} (${answer.error.code})`);
  return answer;
}

// The fragment as the console of AWS reads it: a route, then pairs. A plus sign is a plus sign.
function fragment() {
  const [route, query = ""] = location.hash.replace(/^#/, "").split(/\?(.*)/s);
  const decode = (text) => {
    try { return decodeURIComponent(text); } catch { return text; }
  };
  const pairs = query.split("&").filter(Boolean).map((pair) => {
    const [name, value = ""] = pair.split(/=(.*)/s);
    return [decode(name), decode(value)];
  });
  return { route, pairs: new Map(pairs) };
}

function tell(problem) {
  $("message").hidden = !problem;
  $("message").textContent = problem ? problem.message : "";
  if (problem) $("message").focus();
}

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function row(...cells) {
  const made = element("tr");
  for (const cell of cells) {
    const td = element("td");
    td.append(cell instanceof Node ? cell : document.createTextNode(cell ?? ""));
    made.append(td);
  }
  return made;
}

function status(text) {
  const bad = /FAILED|ROLLBACK/.test(text);
  const className = bad ? "bad" : text.endsWith("_COMPLETE") ? "good" : "busy";
  return element("b", text, "status " + className);
}

function show(section) {
  for (const id of ["create", "stack", "stacks"]) $(id).hidden = id !== section;
}

// ---- Quick create ----

function readyToCreate() {
  const acknowledged = !template?.capability || $("acknowledge").checked;
  $("create-stack").disabled = creating || !template || !acknowledged;
}

function field(parameter, given) {
  const id = "param-" + parameter.name;
  const box = element("div");
  const label = element("label", parameter.label ? `${parameter.label} (${parameter.name})` : parameter.name);
  label.htmlFor = id;
  let input;
  if (parameter.allowed_values.length > 0) {
    input = element("select");
    for (const value of parameter.allowed_values) input.append(element("option", value));
  } else {
    input = element("input");
    input.type = parameter.no_echo ? "password" : "text";
    input.spellcheck = false;
  }
  input.id = id;
  input.name = parameter.name;
  input.value = given ?? parameter.default ?? "";
  box.append(label, input);
  if (parameter.description) {
    const about = element("p", parameter.description, "about");
    about.id = id + "-about";
    input.setAttribute("aria-describedby", about.id);
    box.append(about);
  }
  return box;
}

async function loadTemplate(pairs) {
  const now = ++shown;
  template = null;
  readyToCreate();
  $("parameters").replaceChildren();
  $("template-shown").hidden = true;
  $("capabilities").hidden = true;
  $("template-description").textContent = "";
  let answer;
  try {
    answer = await ask("template", source);
  } catch (why) {
    if (now === shown) tell(why);
    return;
  }
  if (now !== shown) return;
  template = answer;
  tell(null);
  $("template-text").textContent = answer.text;
  $("template-shown").hidden = false;
  $("template-description").textContent = answer.description || "";
  for (const parameter of answer.parameters) {
    // As in the console of AWS, a link cannot fill in a parameter that is not echoed; unknown ones are ignored.
    const given = parameter.no_echo ? undefined : pairs.get("param_" + parameter.name);
    $("parameters").append(field(parameter, given));
  }
  if (answer.parameters.length === 0) $("parameters").append(element("p", "This template has none.", "quiet"));
  $("capabilities").hidden = !answer.capability;
  $("iam-types").textContent = answer.iam_types.join(", ");
  $("acknowledge-text").textContent = answer.capability === "CAPABILITY_NAMED_IAM"
    ? "I acknowledge that AWS CloudFormation might create IAM resources with custom names."
    : "I acknowledge that AWS CloudFormation might create IAM resources.";
  readyToCreate();
}

function openCreate(pairs) {
  show("create");
  document.title = "Quick create stack · glueup demo";
  const url = pairs.get("templateURL") || "";
  source = url ? { template_url: url } : {};
  $("template-url").textContent = url;
  $("from-url").hidden = !url;
  $("from-file").hidden = Boolean(url);
  $("template-file").value = "";
  $("stack-name").value = pairs.get("stackName") || "";
  $("acknowledge").checked = false;
  if (url) {
    loadTemplate(pairs);
  } else {
    shown++;
    template = null;
    $("parameters").replaceChildren(element("p", "Choose a template file first.", "quiet"));
    $("template-shown").hidden = true;
    $("capabilities").hidden = true;
    $("template-description").textContent = "";
    readyToCreate();
  }
}

$("template-file").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  if (!file) return;
  source = { template_body: await file.text() };
  loadTemplate(new Map());
});

$("acknowledge").addEventListener("change", readyToCreate);

$("create-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if ($("create-stack").disabled) return;
  const parameters = {};
  for (const input of $("parameters").querySelectorAll("input, select")) parameters[input.name] = input.value;
  const capabilities = template.capability ? [template.capability] : [];
  creating = true;
  readyToCreate();
  try {
    const answer = await ask("create", { stack_name: $("stack-name").value.trim(), parameters, capabilities, ...source });
    tell(null);
    location.hash = "#/stacks/stackinfo?stackId=" + encodeURIComponent(answer.stack_id);
  } catch (why) {
    tell(why);
  } finally {
    creating = false;
    readyToCreate();
  }
});

// ---- One stack ----

async function openStack(id) {
  const now = ++shown;
  show("stack");
  $("stack-title").textContent = "";
  $("stack-id").textContent = id;
  $("events").replaceChildren();
  $("outputs").replaceChildren();
  $("outputs-part").hidden = true;
  $("delete-stack").onclick = async () => {
    if (!confirm("Delete this stack and what it made?")) return;
    try {
      await ask("delete", { stack: id });
      openStack(id);
    } catch (why) {
      tell(why);
    }
  };
  let first = true;
  for (;;) {
    let stack;
    try {
      stack = await ask("stack", { stack: id });
    } catch (why) {
      if (now === shown) tell(why);
      return;
    }
    if (now !== shown) return;
    document.title = `${stack.name} · ${stack.status} · glueup demo`;
    $("stack-title").textContent = stack.name;
    const badge = status(stack.status);
    if ($("stack-status").textContent !== stack.status) $("stack-status").textContent = stack.status;
    $("stack-status").className = badge.className;
    $("stack-reason").textContent = stack.reason || "";
    $("delete-stack").disabled = stack.deleted;
    $("events").replaceChildren(
      ...stack.events.map((event) => row(event.at, event.logical, status(event.status), event.reason)));
    $("outputs").replaceChildren(
      ...stack.outputs.map((output) => row(output.key, element("code", output.value), output.description)));
    $("outputs-part").hidden = stack.outputs.length === 0;
    if (first) $("stack-title").focus();
    first = false;
    if (!stack.busy) return;
    await new Promise((done) => setTimeout(done, 500));
    if (now !== shown) return;
  }
}

// ---- All stacks ----

async function openStacks() {
  const now = ++shown;
  show("stacks");
  document.title = "Stacks · glueup demo";
  let answer;
  try {
    answer = await ask("stacks", {});
  } catch (why) {
    if (now === shown) tell(why);
    return;
  }
  if (now !== shown) return;
  $("no-stacks").hidden = answer.stacks.length > 0;
  $("stack-list").replaceChildren(...answer.stacks.map((stack) => {
    const link = element("a", stack.name);
    link.href = "#/stacks/stackinfo?stackId=" + encodeURIComponent(stack.id);
    return row(link, status(stack.status), stack.created);
  }));
}

// ---- Which page ----

function open() {
  tell(null);
  const { route, pairs } = fragment();
  if (route === "/stacks/create/review" || route === "/stacks/quickcreate" || route === "/stacks/create/template") {
    openCreate(pairs);
  } else if (route === "/stacks/stackinfo" && pairs.get("stackId")) {
    openStack(pairs.get("stackId"));
  } else {
    openStacks();
  }
}

async function start() {
  try {
    const session = await ask("session");
    region ||= session.region;
    $("region").textContent = region;
    for (const principal of session.principals) {
      const option = element("option", `${principal.account} · ${principal.arn.split(":").pop()}`);
      option.value = principal.id;
      $("signed-in-as").append(option);
    }
  } catch (why) {
    tell(why);
    return;
  }
  window.addEventListener("hashchange", open);
  // Signing in as somebody else keeps what was typed; the next request is made with that one's rights.
  $("signed-in-as").addEventListener("change", () => {
    if ($("create").hidden) open();
    else tell(null);
  });
  open();
}

start();
