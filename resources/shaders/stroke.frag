#version 330 core
// How far a fragment lies inside a capsule, an arrow head or a ring. A ring has a rim of some pixels, fewer
// where its hole is large.
flat in vec4 strokeColour;
flat in vec4 form;
noperspective in vec2 at;

uniform float strength;
uniform float core;  // how far a fragment must be covered: soft rims must not hide what meets them

out vec4 colour;

void main() {
    float reach = form.x;
    float radius = form.y;
    float away;
    if (form.z > 0.0) {
        float side = radius * (1.0 - at.x / reach) - abs(at.y);
        float slope = reach / length(vec2(reach, radius));
        away = -min(side * slope, at.x);
    } else {
        away = length(vec2(at.x - clamp(at.x, 0.0, reach), at.y)) - radius;
        if (form.w > 0.0) away = max(away, min(form.w * radius, radius - 6.0 * (1.0 - form.w)) - (away + radius));
    }
    float cover = clamp(0.5 - away, 0.0, 1.0);
    if (cover <= 0.02 || cover < core) discard;
    colour = vec4(strokeColour.rgb, strokeColour.a * cover * strength);
}
