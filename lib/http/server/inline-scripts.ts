// The shop's own inline scripts, which have to run before the page is painted.
// A page's policy names them by their hashes (content-security.ts), so no text of a visitor or of a
// product may ever become part of one.

/**
 * Pages are the same for everybody and are cached. So that nobody sees the wrong links for a moment,
 * this runs while the browser reads `<head>`. It says the same as AuthState, in fewer bytes.
 */
export const AUTH_SCRIPT = `try{let g=k=>localStorage.getItem(k),d=document.documentElement,t=g("token"),s=(k,v)=>v&&d.setAttribute("data-"+k,"");d.dataset.auth=t?"in":"out";s("admin",t&&/\\bROLE_ADMIN\\b/.test(g("roles")));s("named",g("userName")&&g("userLastName"));s("history",(g("recentlyViewedProducts")||"").length>2)}catch{}`;

/**
 * Long names make the greeting higher: written in while the browser reads the page, they move
 * nothing below it. It says the same as Greeting, which takes over later.
 */
export const GREETING_SCRIPT = `try{let g=k=>localStorage.getItem(k),f=g("userLastName"),n=g("userName");if(f&&n)document.getElementById("greeting").textContent="Bonjour "+f+" "+n+" !"}catch{}`;

/**
 * On a slow phone a page is seen for seconds before its scripts run. Until then this keeps what is pressed, sent and
 * chosen, once for each control; EarlyTaps does it afterwards. Buttons of popovers and forms with an address need no script.
 */
export const EARLY_TAPS_SCRIPT = `(()=>{let taps=new Map,types=["click","submit","change"],keep=e=>{let t=e.type,n=e.target,c=t=="click"?n.closest("button[type=button]:not([popovertarget])"):t=="change"?n.closest("select"):n.hasAttribute("action")?null:n;if(!c)return;e.preventDefault();e.stopImmediatePropagation();taps.delete(c);taps.set(c,{type:t,submitter:e.submitter,value:c.value});(e.submitter||c).dataset.tapped=""};for(let t of types)addEventListener(t,keep,!0);window.earlyTaps={taps,stop(){for(let t of types)removeEventListener(t,keep,!0)}}})()`;
